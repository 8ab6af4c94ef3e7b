(* SPDX-License-Identifier: Apache-2.0 *)
(* Modular exponentiation, for every width: what redc_exp asks its multiplier for, and makes of the
   answers (exp_... of redc_steps, which `redcore verify` writes from the functions that the solver
   compares with the RTL), gives x^e mod m on any multiplier M that keeps the contract.
   Partner: src/redcore/verify/width/exp_steps.py. *)
From Coq Require Import ZArith Lia.
Require Import redc_steps.
Open Scope Z_scope.

(* Bits of an exponent in N bits, from the highest: j are left, which stand at the top. *)
Lemma next_bit_value N (j : nat) low :
  Z.of_nat (S j) <= N -> 0 <= low < 2 ^ Z.of_nat (S j) ->
  exp_next_bit N (low * 2 ^ (N - Z.of_nat (S j)))
  = (2 ^ Z.of_nat j <=? low, (low mod 2 ^ Z.of_nat j) * 2 ^ (N - Z.of_nat j)).
Proof.
  intros Hj Hl. unfold exp_next_bit. cbv zeta.
  rewrite Nat2Z.inj_succ in *. unfold Z.succ in *. set (k := Z.of_nat j) in *.
  assert (0 <= k) by (unfold k; lia).
  assert (Pk : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
  assert (Pr : 0 < 2 ^ (N - (k + 1))) by (apply Z.pow_pos_nonneg; lia).
  assert (Ek : 2 ^ (k + 1) = 2 * 2 ^ k) by (rewrite Z.pow_add_r; lia).
  assert (En : 2 ^ N = 2 ^ (N - (k + 1)) * (2 * 2 ^ k)).
  { rewrite <- Ek, <- Z.pow_add_r by lia. f_equal. lia. }
  assert (Eh : 2 ^ (N - 1) = 2 ^ (N - (k + 1)) * 2 ^ k).
  { rewrite <- Z.pow_add_r by lia. f_equal. lia. }
  assert (Er : 2 ^ (N - k) = 2 * 2 ^ (N - (k + 1))).
  { replace (N - k) with (1 + (N - (k + 1))) by lia. rewrite Z.pow_add_r; lia. }
  rewrite Eh, En, Er. set (P := 2 ^ (N - (k + 1))) in *. set (Q := 2 ^ k) in *.
  f_equal.
  - destruct (Z.leb_spec Q low); [apply Z.leb_le | apply Z.leb_gt]; nia.
  - rewrite Ek in Hl. destruct (Z.lt_ge_cases low Q) as [H1 | H1].
    + rewrite (Z.mod_small low) by lia. rewrite Z.mod_small by nia. ring.
    + replace (low mod Q) with (low - Q) by (apply Z.mod_unique with 1; lia).
      symmetry. apply Z.mod_unique with 1; nia.
Qed.

(* What is above the length k is doubled out of the N bits. *)
Fixpoint passed_over (j : nat) (N rest : Z) : Z :=
  match j with
  | O => rest
  | S j => snd (exp_next_bit N (passed_over j N rest))
  end.

Lemma passed_over_value j N e : 0 < N -> passed_over j N (e mod 2 ^ N) = (e * 2 ^ Z.of_nat j) mod 2 ^ N.
Proof.
  intros HN. assert (0 < 2 ^ N) by (apply Z.pow_pos_nonneg; lia).
  induction j as [| j IH].
  - cbn [passed_over]. change (2 ^ Z.of_nat 0) with 1. f_equal. ring.
  - cbn [passed_over]. rewrite IH. unfold exp_next_bit. cbv zeta. cbn [snd].
    rewrite Zmult_mod_idemp_r. f_equal. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Lemma aligned j (k : nat) N e : 0 < N -> Z.of_nat j + Z.of_nat k = N ->
  (e * 2 ^ Z.of_nat j) mod 2 ^ N = (e mod 2 ^ Z.of_nat k) * 2 ^ (N - Z.of_nat k).
Proof.
  intros HN Hk. rewrite <- Hk at 1. rewrite Z.add_comm, Z.pow_add_r by lia.
  replace (N - Z.of_nat k) with (Z.of_nat j) by lia.
  apply Z.mul_mod_distr_r; apply Z.pow_nonzero; lia.
Qed.

Section Multiplier.

(* The contract: operands and results below bound * m, and M a b R = a b modulo m. R has an inverse;
   it is 2^RBits, and m is odd. *)
Variables (M : Z -> Z -> Z) (n N m R inverse bound r2 x e : Z).
Hypothesis m_positive : 0 < m.
Hypothesis bound_positive : 1 <= bound.
Hypothesis inverse_of_R : exists q, R * inverse - 1 = q * m.
Hypothesis products : forall a b, 0 <= a < bound * m -> 0 <= b < bound * m ->
  0 <= M a b < bound * m /\ exists q, M a b * R - a * b = q * m.
(* Times 1 it is at most m: with a bound of 1 it is below, and a Montgomery product of a < 2m and 1
   is (a + q m) / R with q < R, and a <= R. *)
Hypothesis times_one : forall a, 0 <= a < bound * m -> M a (exp_unit n m) <= m.
Hypothesis constant_range : 0 <= r2 < m.
Hypothesis constant_value : exists q, r2 - R * R = q * m.
Hypothesis x_range : 0 <= x < m.
Hypothesis N_positive : 0 < N.

Definition cong (a b : Z) : Prop := exists q, a - b = q * m.

Lemma cong_trans a b c : cong a b -> cong b c -> cong a c.
Proof. intros [p Hp] [q Hq]. exists (p + q). lia. Qed.

Lemma cong_sym a b : cong a b -> cong b a.
Proof. intros [p Hp]. exists (- p). lia. Qed.

Lemma cong_mul a b c d : cong a b -> cong c d -> cong (a * c) (b * d).
Proof.
  intros [p Hp] [q Hq]. exists (p * c + b * q).
  replace (a * c - b * d) with ((a - b) * c + b * (c - d)) by ring. rewrite Hp, Hq. ring.
Qed.

Lemma cong_refl a : cong a a.
Proof. exists 0. lia. Qed.

Lemma cancel a b : cong (a * R) (b * R) -> cong a b.
Proof.
  intros [t Ht]. destruct inverse_of_R as [s Hs]. exists (t * inverse - (a - b) * s).
  replace ((t * inverse - (a - b) * s) * m) with (inverse * (t * m) - (a - b) * (s * m)) by ring.
  rewrite <- Ht, <- Hs. ring.
Qed.

(* a stands for v. *)
Definition stands (a v : Z) : Prop := 0 <= a < bound * m /\ cong a (v * R).

Lemma stands_mul a v b w : stands a v -> stands b w -> stands (M a b) (v * w).
Proof.
  intros [Ha Va] [Hb Vb]. destruct (products a b Ha Hb) as [Hp Vp]. split; [exact Hp |].
  apply cancel. apply (cong_trans _ (a * b)); [exact Vp |].
  replace (v * w * R * R) with ((v * R) * (w * R)) by ring. apply cong_mul; assumption.
Qed.

Lemma small a : 0 <= a < m -> 0 <= a < bound * m.
Proof. nia. Qed.

Lemma stands_conversion a v : 0 <= a < m -> cong a v -> stands (M a r2) v.
Proof.
  intros Ha Va. destruct (products a r2 (small a Ha) (small r2 constant_range)) as [Hp Vp].
  split; [exact Hp |]. apply cancel. apply (cong_trans _ (a * r2)); [exact Vp |].
  replace (v * R * R) with (v * (R * R)) by ring. apply cong_mul; [exact Va | exact constant_value].
Qed.

Lemma unit_range : 0 <= exp_unit n m < m.
Proof. unfold exp_unit. cbv zeta. destruct (Z.eqb_spec m 1); cbn; lia. Qed.

Lemma unit_value : cong (exp_unit n m) 1.
Proof.
  unfold exp_unit. cbv zeta. destruct (Z.eqb_spec m 1); cbn.
  - exists (-1). lia.
  - apply cong_refl.
Qed.

Lemma leaves a v : stands a v -> exp_result n (M a (exp_unit n m)) m = v mod m.
Proof.
  intros [Ha Va]. destruct (products a _ Ha (small _ unit_range)) as [Hp Vp].
  pose proof (times_one a Ha) as Hm.
  assert (C : cong (M a (exp_unit n m)) v).
  { apply cancel. apply (cong_trans _ (a * exp_unit n m)); [exact Vp |].
    replace (v * R) with ((v * R) * 1) by ring. apply cong_mul; [exact Va | exact unit_value]. }
  destruct C as [q Hq]. unfold exp_result. cbv zeta.
  destruct (Z.eqb_spec (M a (exp_unit n m)) m) as [E | E]; cbn [negb].
  - apply Z.mod_unique with (1 - q); lia.
  - apply Z.mod_unique with (- q); lia.
Qed.

(* From the highest bit on: the square, and the square times x where the bit is 1. *)
Fixpoint left_to_right (j : nat) (base rest power : Z) : Z :=
  match j with
  | O => power
  | S j =>
      let '(bit, rest) := exp_next_bit N rest in
      let '(a, b) := exp_square n power in
      let squared := M a b in
      let '(a, b) := exp_times n squared base in
      let product := M a b in
      left_to_right j base rest (exp_chosen n bit squared product)
  end.

Lemma left_to_right_value base : stands base x ->
  forall (j : nat) low power v, Z.of_nat j <= N -> 0 <= low < 2 ^ Z.of_nat j -> stands power v ->
  stands (left_to_right j base (low * 2 ^ (N - Z.of_nat j)) power) (v ^ (2 ^ Z.of_nat j) * x ^ low).
Proof.
  intros Hb j. induction j as [| j IH]; intros low power v Hj Hl Hp.
  - cbn [left_to_right]. change (2 ^ Z.of_nat 0) with 1 in *. assert (low = 0) by lia. subst low.
    rewrite Z.pow_1_r, Z.pow_0_r, Z.mul_1_r. exact Hp.
  - cbn [left_to_right]. rewrite next_bit_value by assumption.
    unfold exp_square, exp_times, exp_chosen. cbv zeta.
    rewrite Nat2Z.inj_succ in *. unfold Z.succ in *. set (k := Z.of_nat j) in *.
    assert (0 <= k) by (unfold k; lia).
    assert (Pk : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
    assert (Ek : 2 ^ (k + 1) = 2 ^ k + 2 ^ k) by (rewrite Z.pow_add_r; lia).
    assert (Sq : stands (M power power) (v * v)) by (apply stands_mul; assumption).
    assert (Pr : stands (M (M power power) base) (v * v * x)) by (apply stands_mul; assumption).
    pose proof (Z.mod_pos_bound low (2 ^ k) Pk) as Hlow.
    destruct (Z.leb_spec (2 ^ k) low) as [H1 | H1].
    + replace (low mod 2 ^ k) with (low - 2 ^ k) in * by (apply Z.mod_unique with 1; lia).
      specialize (IH (low - 2 ^ k) _ _ ltac:(lia) Hlow Pr).
      replace (v ^ 2 ^ (k + 1) * x ^ low) with ((v * v * x) ^ 2 ^ k * x ^ (low - 2 ^ k)); [exact IH |].
      replace low with (2 ^ k + (low - 2 ^ k)) at 2 by lia.
      rewrite Ek, !Z.pow_mul_l, !Z.pow_add_r by lia. ring.
    + replace (low mod 2 ^ k) with low in * by (symmetry; apply Z.mod_small; lia).
      specialize (IH low _ _ ltac:(lia) ltac:(lia) Sq).
      replace (v ^ 2 ^ (k + 1) * x ^ low) with ((v * v) ^ 2 ^ k * x ^ low); [exact IH |].
      rewrite Ek, !Z.pow_mul_l, !Z.pow_add_r by lia. ring.
Qed.

(* All of a job, of an exponent of k bits in N: N - k are passed over. *)
Definition exponentiation_left_to_right (k : nat) : Z :=
  let one := exp_unit n m in
  let '(a, b) := exp_convert n x r2 in
  let base := M a b in
  let '(bit, rest) := exp_next_bit N (passed_over (Z.to_nat N - k) N (e mod 2 ^ N)) in
  let '(a, b) := exp_begin n bit x one r2 in
  let power := left_to_right (k - 1) base rest (M a b) in
  let '(a, b) := exp_leave n power one in
  exp_result n (M a b) m.

Theorem left_to_right_power (k : nat) : (0 < k)%nat -> Z.of_nat k <= N ->
  exponentiation_left_to_right k = x ^ (e mod 2 ^ Z.of_nat k) mod m.
Proof.
  intros Hk HN. unfold exponentiation_left_to_right.
  destruct k as [| k]; [lia |]. rewrite passed_over_value by assumption.
  rewrite (aligned _ (S k)) by lia.
  set (low := e mod 2 ^ Z.of_nat (S k)).
  assert (Hl : 0 <= low < 2 ^ Z.of_nat (S k))
    by (apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia).
  rewrite next_bit_value by assumption.
  unfold exp_convert, exp_begin, exp_leave. cbv zeta.
  apply leaves. replace (S k - 1)%nat with k by lia.
  rewrite Nat2Z.inj_succ in *. unfold Z.succ in *. set (j := Z.of_nat k) in *.
  assert (0 <= j) by (unfold j; lia).
  assert (Pj : 0 < 2 ^ j) by (apply Z.pow_pos_nonneg; lia).
  assert (Ej : 2 ^ (j + 1) = 2 ^ j + 2 ^ j) by (rewrite Z.pow_add_r; lia).
  pose proof (Z.mod_pos_bound low (2 ^ j) Pj) as Hlow.
  assert (Hb : stands (M x r2) x)
    by (apply stands_conversion; [exact x_range | apply cong_refl]).
  assert (H1 : stands (M (exp_unit n m) r2) 1)
    by (apply stands_conversion; [exact unit_range | exact unit_value]).
  destruct (Z.leb_spec (2 ^ j) low) as [T | T].
  - replace (low mod 2 ^ j) with (low - 2 ^ j) in * by (apply Z.mod_unique with 1; lia).
    pose proof (left_to_right_value _ Hb k (low - 2 ^ j) _ x ltac:(fold j; lia) Hlow Hb) as V.
    fold j in V. rewrite <- Z.pow_add_r in V by lia.
    replace (2 ^ j + (low - 2 ^ j)) with low in V by lia. exact V.
  - replace (low mod 2 ^ j) with low in * by (symmetry; apply Z.mod_small; lia).
    pose proof (left_to_right_value _ Hb k low _ 1 ltac:(fold j; lia) ltac:(fold j; lia) H1) as V.
    fold j in V. rewrite Z.pow_1_l, Z.mul_1_l in V by lia. exact V.
Qed.

End Multiplier.

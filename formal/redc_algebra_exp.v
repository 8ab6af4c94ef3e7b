(* SPDX-License-Identifier: Apache-2.0 *)
(* Modular exponentiation, for every width: what redc_exp asks its multiplier for, and makes of the
   answers (exp_... of redc_steps, which `redcore verify` writes from the functions that the solver
   compares with the RTL), gives x^e mod m on any multiplier M that keeps the contract.
   Partner: src/redcore/verify/width/exp_steps.py. *)
From Coq Require Import ZArith Znumtheory Lia.
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

(* The ladder: two values one power of x apart; a rung makes both of the next. *)
Fixpoint ladder (j : nat) (rest : Z) (before : bool) (low high : Z) : Z :=
  match j with
  | O => low
  | S j =>
      let '(bit, rest) := exp_next_bit N rest in
      let '(a, b) := exp_both n before low high in
      let product := M a b in
      let '(a, b) := exp_one_of n bit low high in
      let '(low, high) := exp_rung n bit product (M a b) in
      ladder j rest bit low high
  end.

Lemma ladder_value : forall (j : nat) l before low high v,
  Z.of_nat j <= N -> 0 <= l < 2 ^ Z.of_nat j -> stands low v -> stands high (v * x) ->
  stands (ladder j (l * 2 ^ (N - Z.of_nat j)) before low high) (v ^ (2 ^ Z.of_nat j) * x ^ l).
Proof.
  intros j. induction j as [| j IH]; intros l before low high v Hj Hl Hlow Hhigh.
  - cbn [ladder]. change (2 ^ Z.of_nat 0) with 1 in *. assert (l = 0) by lia. subst l.
    rewrite Z.pow_1_r, Z.pow_0_r, Z.mul_1_r. exact Hlow.
  - cbn [ladder]. rewrite next_bit_value by assumption.
    unfold exp_both, exp_one_of, exp_rung. cbv zeta.
    rewrite Nat2Z.inj_succ in *. unfold Z.succ in *. set (k := Z.of_nat j) in *.
    assert (0 <= k) by (unfold k; lia).
    assert (Pk : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
    assert (Ek : 2 ^ (k + 1) = 2 ^ k + 2 ^ k) by (rewrite Z.pow_add_r; lia).
    assert (Pr : stands (M (if before then low else high) (if before then high else low))
                        (v * v * x)).
    { destruct before.
      - replace (v * v * x) with (v * (v * x)) by ring. apply stands_mul; assumption.
      - replace (v * v * x) with ((v * x) * v) by ring. apply stands_mul; assumption. }
    pose proof (Z.mod_pos_bound l (2 ^ k) Pk) as Hmod.
    destruct (Z.leb_spec (2 ^ k) l) as [H1 | H1].
    + replace (l mod 2 ^ k) with (l - 2 ^ k) in * by (apply Z.mod_unique with 1; lia).
      assert (Sq : stands (M high high) (v * v * x * x)).
      { replace (v * v * x * x) with ((v * x) * (v * x)) by ring. apply stands_mul; assumption. }
      specialize (IH (l - 2 ^ k) true _ _ _ ltac:(lia) Hmod Pr Sq).
      replace (v ^ 2 ^ (k + 1) * x ^ l) with ((v * v * x) ^ 2 ^ k * x ^ (l - 2 ^ k)); [exact IH |].
      replace l with (2 ^ k + (l - 2 ^ k)) at 2 by lia.
      rewrite Ek, !Z.pow_mul_l, !Z.pow_add_r by lia. ring.
    + replace (l mod 2 ^ k) with l in * by (symmetry; apply Z.mod_small; lia).
      assert (Sq : stands (M low low) (v * v)) by (apply stands_mul; assumption).
      specialize (IH l false _ _ _ ltac:(lia) ltac:(lia) Sq Pr).
      replace (v ^ 2 ^ (k + 1) * x ^ l) with ((v * v) ^ 2 ^ k * x ^ l); [exact IH |].
      rewrite Ek, !Z.pow_mul_l, !Z.pow_add_r by lia. ring.
Qed.

Definition exponentiation_ladder (k : nat) : Z :=
  let one := exp_unit n m in
  let '(a, b) := exp_convert n x r2 in
  let high := M a b in
  let '(a, b) := exp_convert n one r2 in
  let low := M a b in
  let low := ladder k (passed_over (Z.to_nat N - k) N (e mod 2 ^ N)) false low high in
  let '(a, b) := exp_leave n low one in
  exp_result n (M a b) m.

Theorem ladder_power (k : nat) : (0 < k)%nat -> Z.of_nat k <= N ->
  exponentiation_ladder k = x ^ (e mod 2 ^ Z.of_nat k) mod m.
Proof.
  intros Hk HN. unfold exponentiation_ladder. rewrite passed_over_value by assumption.
  rewrite (aligned _ k) by lia. set (l := e mod 2 ^ Z.of_nat k).
  assert (Hl : 0 <= l < 2 ^ Z.of_nat k) by (apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia).
  unfold exp_convert, exp_leave. cbv zeta. apply leaves.
  assert (Hb : stands (M x r2) x)
    by (apply stands_conversion; [exact x_range | apply cong_refl]).
  assert (H1 : stands (M (exp_unit n m) r2) 1)
    by (apply stands_conversion; [exact unit_range | exact unit_value]).
  replace x with (1 * x) in Hb at 2 by ring.
  pose proof (ladder_value k l false _ _ 1 HN Hl H1 Hb) as V.
  rewrite Z.pow_1_l, Z.mul_1_l in V by (apply Z.pow_nonneg; lia). exact V.
Qed.

(* From the lowest bit on: powers of x squared, and a product that takes those whose bit is 1. *)
Fixpoint right_to_left (j : nat) (rest power product : Z) : Z :=
  match j with
  | O => product
  | S j =>
      let '(a, b) := exp_square n power in
      let power := M a b in
      let '(bit, rest) := exp_lowest_bit N rest in
      let '(a, b) := exp_times n product power in
      right_to_left j rest power (exp_kept n bit (M a b) product)
  end.

Lemma lowest_bits rest (j : nat) :
  rest mod 2 ^ Z.of_nat (S j) = Z.b2z (Z.odd rest) + 2 * ((rest / 2) mod 2 ^ Z.of_nat j).
Proof.
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  rewrite Z.rem_mul_r by (try apply Z.pow_nonzero; lia).
  rewrite Zmod_odd. destruct (Z.odd rest); reflexivity.
Qed.

Lemma right_to_left_value : forall (j : nat) rest power product v w,
  stands power v -> stands product w ->
  stands (right_to_left j rest power product) (w * v ^ (2 * (rest mod 2 ^ Z.of_nat j))).
Proof.
  induction j as [| j IH]; intros rest power product v w Hp Hw.
  - cbn [right_to_left]. change (2 ^ Z.of_nat 0) with 1. rewrite Z.mod_1_r.
    change (v ^ (2 * 0)) with 1. rewrite Z.mul_1_r. exact Hw.
  - cbn [right_to_left]. unfold exp_square, exp_lowest_bit, exp_times, exp_kept. cbv zeta.
    rewrite lowest_bits.
    assert (Sq : stands (M power power) (v * v)) by (apply stands_mul; assumption).
    assert (Pr : stands (M product (M power power)) (w * (v * v))) by (apply stands_mul; assumption).
    assert (0 <= (rest / 2) mod 2 ^ Z.of_nat j)
      by (apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia).
    set (r := (rest / 2) mod 2 ^ Z.of_nat j) in *.
    assert (Er : (v * v) ^ (2 * r) = v ^ (4 * r)).
    { rewrite Z.pow_mul_l, <- Z.pow_add_r by lia. f_equal. lia. }
    destruct (Z.odd rest); cbn [Z.b2z].
    + specialize (IH (rest / 2) _ _ _ _ Sq Pr). fold r in IH. rewrite Er in IH.
      replace (2 * (1 + 2 * r)) with (1 + 1 + 4 * r) by lia.
      rewrite !Z.pow_add_r, Z.pow_1_r by lia.
      replace (w * (v * v * v ^ (4 * r))) with (w * (v * v) * v ^ (4 * r)) by ring. exact IH.
    + specialize (IH (rest / 2) _ _ _ _ Sq Hw). fold r in IH. rewrite Er in IH.
      replace (2 * (0 + 2 * r)) with (4 * r) by lia. exact IH.
Qed.

Definition exponentiation_right_to_left (k : nat) : Z :=
  let one := exp_unit n m in
  let '(a, b) := exp_convert n x r2 in
  let power := M a b in
  let '(bit, rest) := exp_lowest_bit N (e mod 2 ^ N) in
  let '(a, b) := exp_begin n bit x one r2 in
  let product := right_to_left (k - 1) rest power (M a b) in
  let '(a, b) := exp_leave n product one in
  exp_result n (M a b) m.

Theorem right_to_left_power (k : nat) : (0 < k)%nat -> Z.of_nat k <= N ->
  exponentiation_right_to_left k = x ^ (e mod 2 ^ Z.of_nat k) mod m.
Proof.
  intros Hk HN. unfold exponentiation_right_to_left. destruct k as [| k]; [lia |].
  assert (D : (2 ^ Z.of_nat (S k) | 2 ^ N)).
  { exists (2 ^ (N - Z.of_nat (S k))). rewrite <- Z.pow_add_r by lia. f_equal. lia. }
  rewrite (Zmod_div_mod (2 ^ Z.of_nat (S k)) (2 ^ N) e)
    by (try assumption; apply Z.pow_pos_nonneg; lia).
  set (low := e mod 2 ^ N).
  unfold exp_convert, exp_lowest_bit, exp_begin, exp_leave. cbv zeta. apply leaves.
  replace (S k - 1)%nat with k by lia. rewrite lowest_bits.
  assert (Hb : stands (M x r2) x)
    by (apply stands_conversion; [exact x_range | apply cong_refl]).
  assert (H1 : stands (M (exp_unit n m) r2) 1)
    by (apply stands_conversion; [exact unit_range | exact unit_value]).
  assert (0 <= (low / 2) mod 2 ^ Z.of_nat k)
    by (apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia).
  destruct (Z.odd low); cbn [Z.b2z].
  - rewrite Z.pow_add_r, Z.pow_1_r by lia. apply right_to_left_value; assumption.
  - rewrite Z.add_0_l, <- (Z.mul_1_l (x ^ _)). apply right_to_left_value; assumption.
Qed.

(* Fixed windows of w bits: a table of powers, each from the one before; then of each digit, from
   the highest on, as many squares as it has bits, and a product with its entry. *)
Variable w : nat.
Hypothesis w_positive : (0 < w)%nat.

Definition first_power : Z := let '(a, b) := exp_convert n x r2 in M a b.

Fixpoint power_above (j : nat) : Z :=
  match j with
  | O => first_power
  | S j => let '(a, b) := exp_times n (power_above j) first_power in M a b
  end.

Definition entry (number : Z) : Z :=
  match Z.to_nat number with
  | O => let '(a, b) := exp_convert n (exp_unit n m) r2 in M a b
  | S j => power_above j
  end.

Lemma entry_value number : 0 <= number -> stands (entry number) (x ^ number).
Proof.
  intros Hn. unfold entry. rewrite <- (Z2Nat.id number Hn) at 2.
  assert (H1 : stands first_power x).
  { unfold first_power, exp_convert. cbv zeta.
    apply stands_conversion; [exact x_range | apply cong_refl]. }
  destruct (Z.to_nat number) as [| j].
  - change (x ^ Z.of_nat 0) with 1. unfold exp_convert. cbv zeta.
    apply stands_conversion; [exact unit_range | exact unit_value].
  - induction j as [| j IH].
    + cbn [power_above]. change (Z.of_nat 1) with 1. rewrite Z.pow_1_r. exact H1.
    + cbn [power_above]. unfold exp_times. cbv zeta.
      rewrite Nat2Z.inj_succ, Z.pow_succ_r, (Z.mul_comm x) by lia.
      apply stands_mul; assumption.
Qed.

(* The next c bits are taken as a digit. *)
Fixpoint digit_of (c : nat) (number rest : Z) : Z * Z :=
  match c with
  | O => (number, rest)
  | S c =>
      let '(bit, rest) := exp_next_bit N rest in
      digit_of c (exp_digit (Z.of_nat w) number bit) rest
  end.

Lemma digit_value : forall (c d : nat) number low,
  Z.of_nat (c + d) <= N -> 0 <= low < 2 ^ Z.of_nat (c + d) ->
  0 <= number -> (number + 1) * 2 ^ Z.of_nat c <= 2 ^ Z.of_nat w ->
  digit_of c number (low * 2 ^ (N - Z.of_nat (c + d)))
  = (number * 2 ^ Z.of_nat c + low / 2 ^ Z.of_nat d,
     (low mod 2 ^ Z.of_nat d) * 2 ^ (N - Z.of_nat d)).
Proof.
  induction c as [| c IH]; intros d number low HN Hl H0 Hw.
  - cbn [digit_of]. cbn [Nat.add] in *. change (2 ^ Z.of_nat 0) with 1 in *.
    rewrite Z.div_small, Z.mod_small by assumption. f_equal. ring.
  - cbn [digit_of]. cbn [Nat.add] in *. rewrite next_bit_value by assumption. cbv iota.
    assert (Pd : 0 < 2 ^ Z.of_nat d) by (apply Z.pow_pos_nonneg; lia).
    assert (Pc : 0 < 2 ^ Z.of_nat c) by (apply Z.pow_pos_nonneg; lia).
    assert (Es : 2 ^ Z.of_nat (S c) = 2 * 2 ^ Z.of_nat c)
      by (rewrite Nat2Z.inj_succ, Z.pow_succ_r; lia).
    assert (Ecd : 2 ^ Z.of_nat (c + d) = 2 ^ Z.of_nat c * 2 ^ Z.of_nat d)
      by (rewrite Nat2Z.inj_add, Z.pow_add_r; lia).
    assert (Et : 2 ^ Z.of_nat (S (c + d)) = 2 * 2 ^ Z.of_nat (c + d))
      by (rewrite Nat2Z.inj_succ, Z.pow_succ_r; lia).
    rewrite Es in *. rewrite Et in Hl.
    set (bit := 2 ^ Z.of_nat (c + d) <=? low).
    set (rest := low mod 2 ^ Z.of_nat (c + d)).
    assert (Hr : 0 <= rest < 2 ^ Z.of_nat (c + d)) by (apply Z.mod_pos_bound; nia).
    assert (El : low = Z.b2z bit * 2 ^ Z.of_nat (c + d) + rest).
    { unfold rest, bit. destruct (Z.leb_spec (2 ^ Z.of_nat (c + d)) low); cbn [Z.b2z].
      - replace (low mod 2 ^ Z.of_nat (c + d)) with (low - 2 ^ Z.of_nat (c + d))
          by (apply Z.mod_unique with 1; lia). ring.
      - rewrite Z.mod_small by lia. ring. }
    assert (Hb : 0 <= Z.b2z bit <= 1) by (destruct bit; cbn; lia).
    unfold exp_digit. cbv zeta. rewrite (Z.mod_small (2 * number + Z.b2z bit)) by nia.
    rewrite IH by (try assumption; try lia; nia).
    assert (Eq : low = Z.b2z bit * 2 ^ Z.of_nat c * 2 ^ Z.of_nat d + rest)
      by (rewrite <- Z.mul_assoc, <- Ecd; exact El).
    rewrite Eq at 1 2. f_equal.
    + rewrite Z.div_add_l by lia. ring.
    + rewrite (Z.add_comm _ rest), Z.mod_add by lia. reflexivity.
Qed.

Fixpoint squares (c : nat) (power : Z) : Z :=
  match c with
  | O => power
  | S c => let '(a, b) := exp_square n power in squares c (M a b)
  end.

Lemma squares_value : forall (c : nat) power v,
  stands power v -> stands (squares c power) (v ^ 2 ^ Z.of_nat c).
Proof.
  induction c as [| c IH]; intros power v Hp; cbn [squares].
  - change (2 ^ Z.of_nat 0) with 1. rewrite Z.pow_1_r. exact Hp.
  - unfold exp_square. cbv zeta. rewrite Nat2Z.inj_succ, Z.pow_succ_r, Z.pow_mul_r by lia.
    rewrite Z.pow_2_r. apply IH, stands_mul; assumption.
Qed.

(* Digits as long as bits are left: whole ones, and a last one of what is left. *)
Fixpoint digits (most left : nat) (rest power : Z) : Z :=
  match most, left with
  | S most, S _ =>
      let c := Nat.min w left in
      let power := squares c power in
      let '(number, rest) := digit_of c 0 rest in
      let '(a, b) := exp_times n power (entry number) in
      digits most (left - c) rest (M a b)
  | _, _ => power
  end.

Lemma digits_value : forall (most left : nat) low power v, (left <= most)%nat ->
  Z.of_nat left <= N -> 0 <= low < 2 ^ Z.of_nat left -> stands power v ->
  stands (digits most left (low * 2 ^ (N - Z.of_nat left)) power)
    (v ^ (2 ^ Z.of_nat left) * x ^ low).
Proof.
  induction most as [| most IH]; intros left low power v Hm HN Hl Hp;
    destruct left as [| before]; try lia; cbn [digits];
    try (change (2 ^ Z.of_nat 0) with 1 in *; replace low with 0 by lia;
         rewrite Z.pow_1_r, Z.pow_0_r, Z.mul_1_r; exact Hp).
  remember (S before) as left eqn:El. set (c := Nat.min w left).
  assert (Hc : (0 < c <= left)%nat /\ (c <= w)%nat) by (unfold c; lia).
  set (d := (left - c)%nat). assert (Ed : left = (c + d)%nat) by (unfold d; lia).
  rewrite Ed in Hl, HN |- *.
  assert (Pd : 0 < 2 ^ Z.of_nat d) by (apply Z.pow_pos_nonneg; lia).
  rewrite digit_value; [| assumption | assumption | lia |
    rewrite Z.add_0_l, Z.mul_1_l; apply Z.pow_le_mono_r; lia].
  rewrite Z.mul_0_l, Z.add_0_l. unfold exp_times. cbv zeta.
  assert (Hq : 0 <= low / 2 ^ Z.of_nat d) by (apply Z.div_pos; lia).
  pose proof (Z.mod_pos_bound low (2 ^ Z.of_nat d) Pd) as Hr.
  assert (Hs : stands (M (squares c power) (entry (low / 2 ^ Z.of_nat d)))
                 (v ^ 2 ^ Z.of_nat c * x ^ (low / 2 ^ Z.of_nat d)))
    by (apply stands_mul; [apply squares_value; exact Hp | apply entry_value; exact Hq]).
  specialize (IH d _ _ _ ltac:(lia) ltac:(lia) Hr Hs).
  replace (v ^ 2 ^ Z.of_nat (c + d) * x ^ low) with
    ((v ^ 2 ^ Z.of_nat c * x ^ (low / 2 ^ Z.of_nat d)) ^ 2 ^ Z.of_nat d
     * x ^ (low mod 2 ^ Z.of_nat d)); [exact IH |].
  rewrite Z.pow_mul_l, <- !Z.pow_mul_r by lia.
  rewrite <- Z.mul_assoc, <- Z.pow_add_r by nia.
  rewrite <- Z.pow_add_r, <- Nat2Z.inj_add by lia.
  replace (low / 2 ^ Z.of_nat d * 2 ^ Z.of_nat d + low mod 2 ^ Z.of_nat d) with low
    by (rewrite (Z.div_mod low (2 ^ Z.of_nat d)) at 1 by lia; ring).
  reflexivity.
Qed.

(* All of a job: the first digit's entry stands for itself. *)
Definition exponentiation_window (k : nat) : Z :=
  let one := exp_unit n m in
  let c := Nat.min w k in
  let rest := passed_over (Z.to_nat N - k) N (e mod 2 ^ N) in
  let '(number, rest) := digit_of c 0 rest in
  let power := digits k (k - c) rest (entry number) in
  let '(a, b) := exp_leave n power one in
  exp_result n (M a b) m.

Theorem window_power (k : nat) : (0 < k)%nat -> Z.of_nat k <= N ->
  exponentiation_window k = x ^ (e mod 2 ^ Z.of_nat k) mod m.
Proof.
  intros Hk HN. unfold exponentiation_window.
  rewrite passed_over_value by assumption. rewrite (aligned _ k) by lia.
  set (low := e mod 2 ^ Z.of_nat k).
  assert (Hl : 0 <= low < 2 ^ Z.of_nat k) by (apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia).
  set (c := Nat.min w k). set (d := (k - c)%nat).
  assert (Hc : (c <= w)%nat) by (unfold c; lia).
  assert (Ed : k = (c + d)%nat) by (unfold c, d; lia).
  assert (Hd : (d <= k)%nat) by lia.
  assert (Pd : 0 < 2 ^ Z.of_nat d) by (apply Z.pow_pos_nonneg; lia).
  rewrite Ed in Hl, HN. rewrite Ed at 1.
  rewrite digit_value; [| assumption | assumption | lia |
    rewrite Z.add_0_l, Z.mul_1_l; apply Z.pow_le_mono_r; lia].
  rewrite Z.mul_0_l, Z.add_0_l. unfold exp_leave. cbv zeta. apply leaves.
  assert (Hq : 0 <= low / 2 ^ Z.of_nat d) by (apply Z.div_pos; lia).
  pose proof (Z.mod_pos_bound low (2 ^ Z.of_nat d) Pd) as Hr.
  pose proof (digits_value k d _ _ _ Hd ltac:(lia) Hr (entry_value _ Hq)) as V.
  replace (x ^ low) with
    ((x ^ (low / 2 ^ Z.of_nat d)) ^ 2 ^ Z.of_nat d * x ^ (low mod 2 ^ Z.of_nat d)); [exact V |].
  rewrite <- Z.pow_mul_r, <- Z.pow_add_r by nia.
  replace (low / 2 ^ Z.of_nat d * 2 ^ Z.of_nat d + low mod 2 ^ Z.of_nat d) with low
    by (rewrite (Z.div_mod low (2 ^ Z.of_nat d)) at 1 by lia; ring).
  reflexivity.
Qed.

End Multiplier.

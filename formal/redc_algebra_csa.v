(* SPDX-License-Identifier: Apache-2.0 *)
(* Carry-save Montgomery multiplication, for every width n: n times the iteration that redcore's
   solver compares with the RTL (csa_step of redc_steps, which `redcore verify` writes from the same
   functions), then csa_final, give p below m with 2^n p = a b mod m.
   Partner: src/redcore/verify/width/csa.py. *)
From Coq Require Import ZArith Lia.
Require Import redc_algebra_bits redc_steps.
Open Scope Z_scope.

(* ---- a row of full adders ---------------------------------------------------------------------- *)

Lemma land_halves x y :
  Z.land x y = 2 * Z.land (x / 2) (y / 2) + Z.b2z (Z.odd x && Z.odd y).
Proof.
  rewrite (halves (Z.land x y)), <- !Z.div2_div, !Z.div2_spec, Z.shiftr_land. f_equal.
  rewrite <- !Z.bit0_odd, Z.land_spec. reflexivity.
Qed.

Lemma lxor_halves x y :
  Z.lxor x y = 2 * Z.lxor (x / 2) (y / 2) + Z.b2z (xorb (Z.odd x) (Z.odd y)).
Proof.
  rewrite (halves (Z.lxor x y)), <- !Z.div2_div, !Z.div2_spec, Z.shiftr_lxor. f_equal.
  rewrite <- !Z.bit0_odd, Z.lxor_spec. reflexivity.
Qed.

Lemma half_adders_bits (k : nat) : forall x y,
  0 <= x < 2 ^ Z.of_nat k -> 0 <= y < 2 ^ Z.of_nat k -> x + y = Z.lxor x y + 2 * Z.land x y.
Proof.
  induction k as [| k IH]; intros x y Hx Hy.
  - change (2 ^ Z.of_nat 0) with 1 in *. assert (x = 0) by lia. assert (y = 0) by lia. subst.
    reflexivity.
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r in * by lia.
    specialize (IH (x / 2) (y / 2)).
    assert (x / 2 + y / 2 = Z.lxor (x / 2) (y / 2) + 2 * Z.land (x / 2) (y / 2)).
    { apply IH; split; try (apply Z.div_pos; lia); apply Z.div_lt_upper_bound; lia. }
    rewrite lxor_halves, land_halves, (halves x) at 1. rewrite (halves y) at 1.
    destruct (Z.odd x), (Z.odd y); cbn [Z.b2z andb xorb]; lia.
Qed.

Lemma half_adders x y : 0 <= x -> 0 <= y -> x + y = Z.lxor x y + 2 * Z.land x y.
Proof.
  intros Hx Hy. set (k := Z.log2 (Z.max x y) + 1).
  assert (0 <= Z.log2 (Z.max x y)) by apply Z.log2_nonneg.
  assert (Hz : forall z, 0 <= z <= Z.max x y -> z < 2 ^ k).
  { intros z Hz. destruct (Z.eq_dec z 0) as [-> | ?]; [apply Z.pow_pos_nonneg; lia |].
    apply Z.log2_lt_pow2; [lia |]. unfold k.
    assert (Z.log2 z <= Z.log2 (Z.max x y)) by (apply Z.log2_le_mono; lia). lia. }
  apply (half_adders_bits (Z.to_nat k)); rewrite Z2Nat.id by lia; split; try apply Hz; lia.
Qed.

Lemma nonneg_lxor x y : 0 <= x -> 0 <= y -> 0 <= Z.lxor x y.
Proof. intros. apply Z.lxor_nonneg. tauto. Qed.

Lemma nonneg_land x y : 0 <= x -> 0 <= Z.land x y.
Proof. intros. apply Z.land_nonneg. tauto. Qed.

Lemma full_adders s c x : 0 <= s -> 0 <= c -> 0 <= x ->
  s + c + x
  = Z.lxor (Z.lxor s c) x + 2 * Z.lor (Z.land s c) (Z.land (Z.lxor s c) x).
Proof.
  intros Hs Hc Hx.
  rewrite (half_adders s c) by assumption.
  pose proof (half_adders (Z.lxor s c) x (nonneg_lxor _ _ Hs Hc) Hx) as H.
  assert (D : Z.land (Z.land s c) (Z.land (Z.lxor s c) x) = 0).
  { apply Z.bits_inj'. intros i _. rewrite !Z.land_spec, Z.lxor_spec, Z.bits_0.
    destruct (Z.testbit s i), (Z.testbit c i), (Z.testbit x i); reflexivity. }
  pose proof (Z.lxor_lor _ _ D) as L. rewrite <- (Z.add_nocarry_lxor _ _ D) in L.
  rewrite <- L. lia.
Qed.

(* ---- an iteration ------------------------------------------------------------------------------- *)

Definition digit (a : Z) := Z.b2z (Z.odd a).

Lemma step_value n a s c b m :
  0 <= s -> 0 <= c -> 0 <= b -> 0 <= m -> Z.odd m = true ->
  exists s' c' q, csa_step n a s c b (b + m) m = (a / 2, s', c') /\ 0 <= s' /\ 0 <= c'
    /\ 0 <= q <= 1 /\ 2 * (s' + c') = s + c + digit a * b + q * m.
Proof.
  intros Hs Hc Hb Hm Om. unfold csa_step. cbv zeta.
  set (q := xorb (xorb (Z.odd s) (Z.odd c)) (Z.odd a && Z.odd b)).
  match goal with |- context [Z.lxor (Z.lxor s c) ?e] => set (x := e) end.
  assert (Hx : x = digit a * b + Z.b2z q * m).
  { unfold x, digit. destruct (Z.odd a), q; cbn [Z.b2z]; lia. }
  assert (0 <= x) by (rewrite Hx; unfold digit; destruct (Z.odd a), q; cbn [Z.b2z]; lia).
  pose proof (full_adders s c x Hs Hc ltac:(assumption)) as F.
  eexists _, _, (Z.b2z q). split; [reflexivity |].
  assert (E : Z.odd (Z.lxor (Z.lxor s c) x) = false).
  { rewrite <- Z.bit0_odd, !Z.lxor_spec, !Z.bit0_odd, Hx. unfold q, digit.
    rewrite Z.odd_add, !Z.odd_mul, Om.
    destruct (Z.odd s), (Z.odd c), (Z.odd a), (Z.odd b); reflexivity. }
  pose proof (halves (Z.lxor (Z.lxor s c) x)) as P. rewrite E in P. cbn [Z.b2z] in P.
  assert (0 <= Z.lxor (Z.lxor s c) x) by (repeat apply nonneg_lxor; assumption).
  repeat split.
  - apply Z.div_pos; lia.
  - apply Z.lor_nonneg. split; apply nonneg_land; [assumption | apply nonneg_lxor; assumption].
  - destruct q; cbn; lia.
  - destruct q; cbn; lia.
  - replace (s + c + digit a * b + Z.b2z q * m) with (s + c + x) by (rewrite Hx; ring). lia.
Qed.

(* ---- n of them ------------------------------------------------------------------------------------ *)

Fixpoint steps (k : nat) (n b bm m : Z) (state : Z * Z * Z) : Z * Z * Z :=
  match k with
  | O => state
  | S k => steps k n b bm m (let '(a, s, c) := state in csa_step n a s c b bm m)
  end.

(* Whatever is left of a, 2^k times the sum at the end is the sum now, the lowest k bits of a times
   b, and a multiple of m. *)
Lemma steps_value n b m : 0 <= b < m -> Z.odd m = true ->
  forall (k : nat) a s c, 0 <= a -> 0 <= s -> 0 <= c -> s + c < b + m ->
  exists a' s' c' t, steps k n b (b + m) m (a, s, c) = (a', s', c') /\ 0 <= s' /\ 0 <= c'
    /\ s' + c' < b + m
    /\ 2 ^ Z.of_nat k * (s' + c') = s + c + (a mod 2 ^ Z.of_nat k) * b + t * m.
Proof.
  intros Hb Om k. induction k as [| k IH]; intros a s c Ha Hs Hc Hv.
  - exists a, s, c, 0. change (2 ^ Z.of_nat 0) with 1. rewrite Z.mod_1_r.
    cbn [steps]. repeat split; lia.
  - destruct (step_value n a s c b m) as (s1 & c1 & q & E & H1 & H2 & Hq & V); try lia; auto.
    assert (Hd : digit a = 0 \/ digit a = 1) by (unfold digit; destruct (Z.odd a); auto).
    destruct (IH (a / 2) s1 c1) as (a' & s' & c' & t & E' & H3 & H4 & H5 & V').
    { apply Z.div_pos; lia. } { lia. } { lia. } { destruct Hd as [D | D]; rewrite D in V; nia. }
    cbn [steps]. rewrite E. exists a', s', c', (q + 2 * t).
    repeat split; try assumption.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
    set (P := 2 ^ Z.of_nat k) in *. assert (0 < P) by (apply Z.pow_pos_nonneg; lia).
    assert (M : a mod (2 * P) = digit a + 2 * ((a / 2) mod P)).
    { rewrite Z.rem_mul_r by lia. f_equal.
      unfold digit. rewrite Zmod_odd. destruct (Z.odd a); reflexivity. }
    rewrite M. nia.
Qed.

Lemma final_value n s c m : 0 < n -> 0 <= s -> 0 <= c -> 0 < m < 2 ^ n -> s + c < 2 * m ->
  csa_final n s c m = if s + c <? m then s + c else s + c - m.
Proof.
  intros Hn Hs Hc Hm Hv. unfold csa_final. cbv zeta.
  assert (E2 : 2 ^ (n + 2) = 4 * 2 ^ n) by (rewrite Z.pow_add_r by lia; lia).
  assert (E1 : 2 ^ (n + 1) = 2 * 2 ^ n) by (rewrite Z.pow_add_r by lia; lia).
  rewrite E1, E2. set (P := 2 ^ n) in *.
  rewrite (Z.mod_small (s + c)) by lia.
  destruct (Z.ltb_spec (s + c) m).
  - replace ((s + c - m) mod (4 * P)) with (s + c - m + 4 * P)
      by (apply Z.mod_unique with (-1); lia).
    replace (2 * P <=? s + c - m + 4 * P) with true by (symmetry; apply Z.leb_le; lia).
    apply Z.mod_small; lia.
  - rewrite (Z.mod_small (s + c - m)) by lia.
    replace (2 * P <=? s + c - m) with false by (symmetry; apply Z.leb_gt; lia).
    apply Z.mod_small; lia.
Qed.

Theorem csa_value n a b m :
  0 < n -> 0 < m < 2 ^ n -> Z.odd m = true -> 0 <= a < 2 ^ n -> 0 <= b < m ->
  let '(_, s, c) := steps (Z.to_nat n) n b (b + m) m (a, 0, 0) in
  0 <= csa_final n s c m < m
  /\ (2 ^ n * csa_final n s c m) mod m = (a * b) mod m
  /\ s + c < 2 * m.
Proof.
  intros Hn Hm Om Ha Hb.
  destruct (steps_value n b m Hb Om (Z.to_nat n) a 0 0)
    as (a' & s & c & t & E & Hs & Hc & Hv & V); try lia.
  rewrite E. rewrite Z2Nat.id in V by lia. rewrite (Z.mod_small a) in V by lia.
  rewrite final_value by lia.
  destruct (Z.ltb_spec (s + c) m); (split; [lia | split; [| lia]]).
  - rewrite V. replace (0 + 0 + a * b + t * m) with (a * b + t * m) by ring.
    apply Z.mod_add; lia.
  - replace (2 ^ n * (s + c - m)) with (a * b + (t - 2 ^ n) * m) by (ring_simplify; lia).
    apply Z.mod_add; lia.
Qed.

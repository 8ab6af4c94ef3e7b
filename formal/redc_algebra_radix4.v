(* SPDX-License-Identifier: Apache-2.0 *)
(* Montgomery multiplication by digits of two bits, for every width n: (n + 1) / 2 times the step
   that redcore's solver compares with the RTL (radix4_step of redc_steps, which `redcore verify`
   writes from the same functions), then radix4_final, give p below m with 4^((n + 1) / 2) p = a b mod m. Partner: src/redcore/verify/width/radix4.py. *)
From Coq Require Import ZArith Lia.
Require Import redc_steps.
Open Scope Z_scope.

(* ---- a step -------------------------------------------------------------------------------------- *)

(* x - m, as the adder makes it: the inverted bits of m and one more. *)
Lemma less_value x m top : 0 <= m <= x -> x < top ->
  ((x + (top - 1 - m)) mod top + 1) mod top = x - m.
Proof.
  intros Hm Hx. rewrite Zplus_mod_idemp_l.
  symmetry. apply Z.mod_unique with 1; lia.
Qed.

(* The quotient's digit, from the sum before a step, whose lowest digit has not come off yet. *)
Definition quotient (a total b m : Z) : Z :=
  let residue :=
    (((total / 2 ^ 2) mod 2 ^ 2 + (if Z.testbit a 0 then (b / 2 ^ 0) mod 2 ^ 2 else 0)) mod 2 ^ 2
     + (if Z.testbit a 1 then 2 ^ 1 * Z.b2z (Z.testbit b 0) + 2 ^ 0 * Z.b2z false else 0))
    mod 2 ^ 2 in
  if Z.testbit m 1 then residue else (0 - residue) mod 2 ^ 2.

Lemma low_digit x : exists high low, x = 4 * high + low /\ 0 <= low < 4 /\ x mod 4 = low
  /\ Z.testbit x 0 = Z.testbit low 0 /\ Z.testbit x 1 = Z.testbit low 1.
Proof.
  exists (x / 4), (x mod 4). pose proof (Z.div_mod x 4 ltac:(lia)).
  pose proof (Z.mod_pos_bound x 4 ltac:(lia)).
  assert (E : forall i, i < 2 -> Z.testbit x i = Z.testbit (x mod 4) i).
  { intros i Hi. change 4 with (2 ^ 2). symmetry. apply Z.mod_pow2_bits_low. assumption. }
  rewrite <- !E by lia. intuition lia.
Qed.

Lemma quotient_value a t b m : Z.odd m = true ->
  0 <= quotient a (4 * t) b m < 4
  /\ (t + (a mod 4) * b + quotient a (4 * t) b m * m) mod 4 = 0.
Proof.
  intros Om. unfold quotient. cbv zeta. change (2 ^ 2) with 4. change (2 ^ 0) with 1.
  rewrite Z.div_1_r, (Z.mul_comm 4 t), Z.div_mul by lia.
  destruct (low_digit a) as (ah & al & _ & Ha & Ma & A0 & A1).
  destruct (low_digit b) as (bh & bl & Eb & Hb & Mb & B0 & _).
  destruct (low_digit t) as (th & tl & Et & Ht & Mt & _ & _).
  destruct (low_digit m) as (mh & ml & Em & Hm & _ & M0 & M1).
  rewrite Ma, Mb, Mt, A0, A1, B0, M1. rewrite <- Z.bit0_odd, M0 in Om.
  assert (Ca : al = 0 \/ al = 1 \/ al = 2 \/ al = 3) by lia.
  assert (Cb : bl = 0 \/ bl = 1 \/ bl = 2 \/ bl = 3) by lia.
  assert (Ct : tl = 0 \/ tl = 1 \/ tl = 2 \/ tl = 3) by lia.
  assert (Cm : ml = 0 \/ ml = 1 \/ ml = 2 \/ ml = 3) by lia.
  clear - Ca Cb Ct Cm Om Eb Et Em.
  destruct Cm as [-> | [-> | [-> | ->]]]; try discriminate Om;
    destruct Ca as [-> | [-> | [-> | ->]]]; destruct Cb as [-> | [-> | [-> | ->]]];
    destruct Ct as [-> | [-> | [-> | ->]]];
    match goal with |- 0 <= ?q < 4 /\ _ => let v := eval vm_compute in q in change q with v end;
    (split; [lia |]; subst b t m; Z.div_mod_to_equations; lia).
Qed.

(* All sixteen words of the table are what they are called, and one of them is added. *)
Lemma step_value n a t b m :
  0 <= n -> 0 <= b < m -> m < 2 ^ n -> Z.odd m = true -> 0 <= t < b + m ->
  exists q, 0 <= q < 4 /\ (t + (a mod 4) * b + q * m) mod 4 = 0
    /\ radix4_step n a (4 * t) b m = (a / 4, t + (a mod 4) * b + q * m).
Proof.
  intros Hn Hb Hm Om Ht.
  destruct (quotient_value a t b m Om) as [Hq Z4].
  exists (quotient a (4 * t) b m). split; [assumption |]. split; [assumption |]. clear Z4.
  unfold radix4_step. cbv zeta.
  repeat match goal with |- context [if Z.testbit m 1 then ?r else ?s] =>
    change (if Z.testbit m 1 then r else s) with (quotient a (4 * t) b m) end.
  assert (E3 : 2 ^ (n + 3) = 8 * 2 ^ n) by (rewrite Z.pow_add_r by lia; lia).
  rewrite E3. set (P := 2 ^ n) in *. set (q := quotient a (4 * t) b m) in *. clearbody q P.
  rewrite (Z.mod_small (m + m)) by lia.
  rewrite (Z.mod_small (m + m + m)) by lia.
  rewrite (Z.mod_small (m + b)) by lia.
  rewrite (Z.mod_small (m + b + m)) by lia.
  rewrite (Z.mod_small (m + b + m + m)) by lia.
  rewrite (Z.mod_small (m + b + m + m + b)) by lia.
  rewrite (less_value (m + b + m + m + b) m) by lia.
  rewrite (less_value (m + b + m + m + b - m) m) by lia.
  rewrite (less_value (m + b + m + m + b - m - m) m) by lia.
  set (w := m + b + m + m + b - m - m - m). assert (Hw : w = 2 * b) by (unfold w; lia).
  rewrite (Z.mod_small (w + b)) by lia.
  rewrite (Z.mod_small (w + b + m)) by lia.
  rewrite (Z.mod_small (w + b + m + m)) by lia.
  rewrite (Z.mod_small (w + b + m + m + m)) by lia.
  replace (4 * t / 2 / 2) with t by (rewrite Z.div_div, (Z.mul_comm 4 t), Z.div_mul; lia).
  replace (a / 2 / 2) with (a / 4) by (rewrite Z.div_div by lia; reflexivity).
  f_equal.
  destruct (low_digit a) as (ah & al & _ & Ha & Ma & A0 & A1). rewrite Ma, A0, A1.
  assert (Ca : al = 0 \/ al = 1 \/ al = 2 \/ al = 3) by lia.
  assert (Cq : q = 0 \/ q = 1 \/ q = 2 \/ q = 3) by lia.
  destruct Ca as [-> | [-> | [-> | ->]]]; destruct Cq as [-> | [-> | [-> | ->]]];
    cbn [Z.testbit Z.odd Z.even Pos.testbit Pos.pred_N N.eqb]; rewrite Z.mod_small; lia.
Qed.

(* ---- all of them --------------------------------------------------------------------------------- *)

Fixpoint steps (k : nat) (n b m : Z) (state : Z * Z) : Z * Z :=
  match k with
  | O => state
  | S k => steps k n b m (let '(a, total) := state in radix4_step n a total b m)
  end.

(* Whatever is left of a, 4^k times the sum at the end is the sum now, the lowest k digits of a times
   b, and a multiple of m. *)
Lemma steps_value n b m : 0 <= n -> 0 <= b < m -> m < 2 ^ n -> Z.odd m = true ->
  forall (k : nat) a t, 0 <= t < b + m ->
  exists a' t' s, steps k n b m (a, 4 * t) = (a', 4 * t') /\ 0 <= t' < b + m
    /\ 4 ^ Z.of_nat k * t' = t + (a mod 4 ^ Z.of_nat k) * b + s * m.
Proof.
  intros Hn Hb Hm Om k. induction k as [| k IH]; intros a t Ht.
  - exists a, t, 0. change (4 ^ Z.of_nat 0) with 1. rewrite Z.mod_1_r. cbn [steps].
    repeat split; lia.
  - destruct (step_value n a t b m) as (q & Hq & Z4 & E); try assumption.
    apply Z.mod_divide in Z4; [| lia]. destruct Z4 as [t1 H1].
    pose proof (Z.mod_pos_bound a 4 ltac:(lia)) as Ha.
    assert (T1 : 0 <= t1 < b + m) by nia.
    destruct (IH (a / 4) t1 T1) as (a' & t' & s & E' & T' & V).
    cbn [steps]. rewrite E, H1, (Z.mul_comm t1 4), E'. exists a', t', (q + 4 * s).
    repeat split; try lia.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
    set (Q := 4 ^ Z.of_nat k) in *. assert (0 < Q) by (apply Z.pow_pos_nonneg; lia).
    rewrite (Z.rem_mul_r a 4 Q) by lia. nia.
Qed.

Lemma final_value n t m : 0 <= n -> 0 < m < 2 ^ n -> 0 <= t < 2 * m ->
  radix4_final n (4 * t) m = if t <? m then t else t - m.
Proof.
  intros Hn Hm Ht. unfold radix4_final. cbv zeta.
  assert (E3 : 2 ^ (n + 3) = 8 * 2 ^ n) by (rewrite Z.pow_add_r by lia; lia).
  assert (E4 : 2 ^ (n + 4) = 16 * 2 ^ n) by (rewrite Z.pow_add_r by lia; lia).
  rewrite E3, E4. set (P := 2 ^ n) in *.
  replace (4 * t / 2 / 2) with t by (rewrite Z.div_div, (Z.mul_comm 4 t), Z.div_mul; lia).
  rewrite Zplus_mod_idemp_l. rewrite (Z.mod_small _ (16 * P)) by lia.
  destruct (Z.ltb_spec t m).
  - replace (8 * P <=? _) with false by (symmetry; apply Z.leb_gt; lia). apply Z.mod_small; lia.
  - replace (8 * P <=? _) with true by (symmetry; apply Z.leb_le; lia).
    replace ((t + (8 * P - 1 - m) + 1) mod (8 * P)) with (t - m) by (apply Z.mod_unique with 1; lia).
    apply Z.mod_small; lia.
Qed.

Theorem radix4_value n a b m :
  0 < n -> 0 < m < 2 ^ n -> Z.odd m = true -> 0 <= a < 2 ^ n -> 0 <= b < m ->
  let digits := (n + 1) / 2 in
  let '(_, total) := steps (Z.to_nat digits) n b m (a, 0) in
  let p := radix4_final n total m in
  0 <= p < m /\ (4 ^ digits * p) mod m = (a * b) mod m.
Proof.
  intros Hn Hm Om Ha Hb digits.
  assert (D : n <= 2 * digits /\ 0 <= digits).
  { unfold digits. Z.div_mod_to_equations; lia. }
  clearbody digits.
  destruct (steps_value n b m ltac:(lia) Hb ltac:(lia) Om (Z.to_nat digits) a 0 ltac:(lia))
    as (a' & t & s & E & Ht & V).
  change (4 * 0) with 0 in E. rewrite E. cbv zeta.
  rewrite Z2Nat.id in V by lia.
  assert (W : 2 ^ n <= 4 ^ digits).
  { change 4 with (2 ^ 2). rewrite <- Z.pow_mul_r by lia. apply Z.pow_le_mono_r; lia. }
  rewrite (Z.mod_small a) in V by lia.
  rewrite final_value by lia.
  destruct (Z.ltb_spec t m); (split; [lia |]).
  - rewrite V. replace (0 + a * b + s * m) with (a * b + s * m) by ring. apply Z.mod_add; lia.
  - replace (4 ^ digits * (t - m)) with (a * b + (s - 4 ^ digits) * m) by (ring_simplify; lia).
    apply Z.mod_add; lia.
Qed.

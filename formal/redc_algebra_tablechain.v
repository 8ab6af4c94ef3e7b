(* SPDX-License-Identifier: Apache-2.0 *)
(* Montgomery multiplication from a table of multiples, in units of c bits and a topmost one of h,
   for every width w and number of units: passes over the words of numbers, each of which adds an
   entry of the table. Words of a pass and the places of entries are functions that redcore's solver
   compares with the RTL (redc_steps, which `redcore verify` writes from the same functions). Twelve
   passes with a modulus m, and two for each of three multiples of it; then any multiplications with
   it; then twelve passes with b and one for each digit of a, and one more, give p < 2 m with
   4^((w + 3) / 2) p = a b mod m.
   Partner: src/redcore/verify/width/tablechain.py. *)
From Coq Require Import ZArith Lia Bool.
Require Import redc_algebra_bits redc_steps redc_algebra_tables.
Open Scope Z_scope.

Section Entries.
Variables (c h : Z) (words : nat).
Hypothesis Hc : 2 <= c.
Hypothesis Hh : 2 <= h.
Hypothesis Hwords : (1 <= words)%nat.

(* A multiple is read, added to nothing, and divided: one more goes into the lowest row. *)
Definition fetch_pass (now : state) (k : Z) : state :=
  let '(t, s) := now in
  let '(row, column) := tablechain_fetched c k in
  (t, sum c h words (fun _ => 0) (t row column) false).

Definition divide_pass (second : bool) (now : state) (k : Z) : state :=
  let '(t, s) := now in
  let '(row, column) := tablechain_divided c k second in
  let made := sum c h words (before c h words s) (fun _ => 0) true in
  (put t row column made, made).

Definition multiple (second : bool) (now : state) (k : Z) : state :=
  divide_pass second (fetch_pass now k) k.

Definition derived (fm : Z -> Z) (now : state) : state :=
  let second := Z.testbit (fm 0) 1 in
  multiple second (multiple second (multiple second
    (passes (build_pass c h words fm) now 12) 0) 1) 2.

Lemma fetched k : 0 <= k < 3 -> tablechain_fetched c k = (k + 1, 0).
Proof. intros Hk. assert (k = 0 \/ k = 1 \/ k = 2) as [-> | [-> | ->]] by lia; reflexivity. Qed.

Lemma divided k second m : 0 <= k < 3 -> m mod 4 = 1 + 2 * Z.b2z second ->
  tablechain_divided c k second = (0, 4 - ((k + 1) * m) mod 4) /\ ((k + 1) * m) mod 4 <> 0.
Proof.
  intros Hk Hm. rewrite Z.mul_mod, Hm by lia.
  assert (k = 0 \/ k = 1 \/ k = 2) as [-> | [-> | ->]] by lia; destruct second;
    split; try reflexivity; discriminate.
Qed.

Lemma multiple_made second m t s k t' s' : multiple second (t, s) k = (t', s') ->
  0 <= k < 3 -> m mod 4 = 1 + 2 * Z.b2z second -> 16 * m <= whole c h words -> 0 < m ->
  spell c h words (t (k + 1) 0) ((k + 1) * m) ->
  let x := (k + 1) * m in
  let q := 4 - x mod 4 in
  spell c h words (t' 0 q) ((q + x) / 4) /\ forall i j, (i <> 0 \/ j <> q) -> t' i j = t i j.
Proof.
  intros E Hk Hm Wide Pm S x q. destruct (divided k second m Hk Hm) as [D N].
  fold x in D, N, S. fold q in D.
  unfold multiple, divide_pass, fetch_pass in E. rewrite fetched in E by assumption.
  rewrite D in E. injection E as <- <-.
  pose proof (zero_spells c h words Hc Hh Hwords) as Z0.
  assert (F : spell c h words (sum c h words (fun _ => 0) (t (k + 1) 0) false) x).
  { replace x with (0 + x + Z.b2z false) by (cbn [Z.b2z]; lia).
    apply (sum_spells c h words Hc Hh Hwords); try assumption. cbn [Z.b2z]. unfold x. nia. }
  destruct (before_spells c h words Hc Hh Hwords _ _ F) as [B _].
  pose proof (Z.mod_pos_bound x 4 ltac:(lia)) as Hq.
  split.
  - rewrite put_there.
    assert (Eq : (q + x) / 4 = x / 4 + 0 + Z.b2z true).
    { cbn [Z.b2z]. unfold q. pose proof (Z.div_mod x 4 ltac:(lia)).
      symmetry. apply Z.div_unique with 0; lia. }
    rewrite Eq. apply (sum_spells c h words Hc Hh Hwords); try assumption. cbn [Z.b2z].
    assert (x / 4 <= x) by (apply Z.div_le_upper_bound; unfold x; nia). unfold x in *. nia.
  - intros i j H. apply put_else. assumption.
Qed.

Lemma entries_made fm m t s : spell c h words fm m -> 16 * m <= whole c h words -> 0 < m ->
  Z.odd m = true -> spell c h words (t 0 0) 0 ->
  forall q, 0 <= q < 4 -> exists e,
    spell c h words (fst (derived fm (t, s)) 0 q) e /\ entry m q e.
Proof.
  intros Hm Wide Pm Om H0.
  assert (M : m mod 4 = 1 + 2 * Z.b2z (Z.testbit (fm 0) 1)).
  { destruct (before_spells c h words Hc Hh Hwords _ _ Hm) as [_ L].
    pose proof (digit_bits (fm 0)) as B. rewrite L in B.
    pose proof (Z.div_mod m 4 ltac:(lia)) as D. rewrite <- B in D. rewrite <- B.
    destruct (Z.testbit (fm 0) 0); [reflexivity |]. exfalso. cbn [Z.b2z] in D.
    replace m with (2 * (2 * (m / 4) + Z.b2z (Z.testbit (fm 0) 1))) in Om by lia.
    rewrite Z.odd_mul in Om. discriminate Om. }
  pose proof (fun r => table_made c h words Hc Hh Hwords fm m 0 0 t s 12 Hm ltac:(lia) ltac:(lia)
    ltac:(lia) ltac:(lia) H0 r) as Rows.
  unfold derived. destruct (passes (build_pass c h words fm) (t, s) 12) as [t0 s0].
  cbn [fst] in Rows. set (second := Z.testbit (fm 0) 1) in *.
  assert (Row : forall r, 0 <= r < 4 -> spell c h words (t0 r 0) (r * m)).
  { intros r Hr. replace (r * m) with (r * m + 0) by lia. apply Rows; lia. }
  destruct (multiple second (t0, s0) 0) as [t1 s1] eqn:F1.
  destruct (multiple_made _ m _ _ _ _ _ F1 ltac:(lia) M Wide Pm ltac:(apply Row; lia))
    as [B1 C1].
  destruct (divided 0 second m ltac:(lia) M) as [_ N1].
  change (0 + 1) with 1 in *.
  destruct (multiple second (t1, s1) 1) as [t2 s2] eqn:F2.
  pose proof (Z.mod_pos_bound (1 * m) 4 ltac:(lia)) as R1.
  pose proof (Z.mod_pos_bound (2 * m) 4 ltac:(lia)) as R2.
  pose proof (Z.mod_pos_bound (3 * m) 4 ltac:(lia)) as R3.
  destruct (multiple_made _ m _ _ _ _ _ F2 ltac:(lia) M Wide Pm
    ltac:(change (1 + 1) with 2; rewrite C1 by lia; apply Row; lia)) as [B2 C2].
  change (1 + 1) with 2 in *.
  destruct (multiple second (t2, s2) 2) as [t3 s3] eqn:F3.
  destruct (multiple_made _ m _ _ _ _ _ F3 ltac:(lia) M Wide Pm
    ltac:(change (2 + 1) with 3; rewrite C2, C1 by lia; apply Row; lia)) as [B3 C3].
  change (2 + 1) with 3 in *. cbn [fst].
  assert (M' : m mod 4 = 1 \/ m mod 4 = 3).
  { rewrite M. destruct second; cbn [Z.b2z]; lia. }
  destruct (odd_multiples m M') as (X1 & X2 & X3). rewrite X1 in *. rewrite X2 in *. rewrite X3 in *.
  change (4 - 2) with 2 in *. replace (4 - (4 - m mod 4)) with (m mod 4) in * by lia.
  assert (Q0 : spell c h words (t3 0 0) 0).
  { rewrite C3, C2, C1 by lia. replace 0 with (0 * m) at 2 by lia. apply Row. lia. }
  assert (Q1 : spell c h words (t3 0 (4 - m mod 4)) ((4 - m mod 4 + 1 * m) / 4))
    by (rewrite C3, C2 by lia; assumption).
  assert (Q2 : spell c h words (t3 0 2) ((2 + 2 * m) / 4)) by (rewrite C3 by lia; assumption).
  apply (entry_of_each_digit (fun q e => spell c h words (t3 0 q) e)); assumption.
Qed.

End Entries.

(* ---- the product ----------------------------------------------------------------------------- *)

(* Above its last word the multiplier has zeros. *)
Lemma low_more c fa (words more : nat) : (forall k, Z.of_nat words <= k -> fa k = 0) ->
  low c fa (words + more) = low c fa words.
Proof.
  intros H. induction more as [| more IH]; [f_equal; lia |].
  rewrite Nat.add_succ_r. cbn [low]. rewrite IH, H by lia. lia.
Qed.

(* A table with the entries of a modulus, whatever rows of other multiplications stand above. *)
Theorem tablechain_value w c h words fa fb fm a b m t0 s0 t s :
  0 < w -> 2 <= c -> c mod 2 = 0 -> 2 <= h -> (1 <= words)%nat ->
  w + 4 <= c * (Z.of_nat words - 1) + h ->
  (forall k, 0 <= k -> 0 <= fa k < 2 ^ c) -> (forall k, Z.of_nat words <= k -> fa k = 0) ->
  low c fa words = a -> spell c h words fb b -> spell c h words fm m ->
  0 < m < 2 ^ w -> Z.odd m = true -> 0 <= a < 2 * m -> 0 <= b < 2 * m ->
  (forall k, 0 <= k < Z.of_nat words -> t0 0 0 k = 0) ->
  (forall q, 0 <= q < 4 -> t 0 q = fst (derived c h words fm (t0, s0)) 0 q) ->
  let digits := (w + 3) / 2 in
  let built := fst (passes (build_pass c h words fb) (t, s) 12) in
  let p := low c (iterations c h words built (digit c fa) (Z.to_nat digits)) words in
  0 <= p < 2 * m /\ (4 ^ digits * p) mod m = (a * b) mod m.
Proof.
  intros Hw Hc Even Hh Hn Wide Ra0 Above Va Hb Hm Rm Om Ra Rb Zero Row digits built p.
  apply product; try assumption.
  - assert (W : 16 * m <= whole c h words).
    { assert (2 ^ (w + 4) <= whole c h words) by (apply Z.pow_le_mono_r; unfold number; lia).
      rewrite Z.pow_add_r in * by lia. lia. }
    assert (Z0 : spell c h words (t0 0 0) 0) by (apply zeros; assumption).
    intros q Hq. rewrite Row by assumption.
    apply (entries_made c h words Hc Hh Hn fm m t0 s0); try assumption; lia.
  - assert (D : 0 <= digits) by (unfold digits; Z.div_mod_to_equations; lia).
    pose proof (half_size c Hc Even) as [Half Least].
    intros j Hj. set (more := S (Z.to_nat digits)).
    apply (digit_value c (words + more)); try assumption.
    + intros k Hk. apply Ra0. lia.
    + rewrite low_more by assumption. assumption.
    + unfold more. nia.
Qed.

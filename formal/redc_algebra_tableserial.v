(* SPDX-License-Identifier: Apache-2.0 *)
(* Montgomery multiplication from a table of multiples, word by word, for every width w, size c of a
   word and number of words: passes over the words of numbers, each of which adds an entry of the
   table. Words of a pass and the plans of passes are functions that redcore's solver compares with
   the RTL (redc_steps, which `redcore verify` writes from the same functions). Twelve passes of a
   modulus m, then any multiplications with it, then twelve passes with b and one for each digit of
   a, and one more, give p < 2 m with 4^((w + 3) / 2) p = a b mod m.
   Partner: src/redcore/verify/width/tableserial.py. *)
From Coq Require Import ZArith Lia Bool.
Require Import redc_algebra_bits redc_steps redc_algebra_tables.
Open Scope Z_scope.

Section Entries.
Variables (c : Z) (words : nat).
Hypothesis Hc : 2 <= c.
Hypothesis Hwords : (1 <= words)%nat.

Definition modulus_pass (m : Z -> Z) (now : state) (count : Z) : state :=
  let '(t, s) := now in
  let '(row, column, divides, to_row, to_column) :=
    tableserial_modulus_plan c count (s 0 mod 4) in
  let made := sum c c words (if divides then before c c words s else m) (t row column) divides in
  (put t to_row to_column made, made).

(* Entries of the modulus. *)
Lemma plan_adds i j l : 0 <= i < 3 -> 0 <= j < 3 ->
  tableserial_modulus_plan c (4 * i + j) l = (i, 0, false, i + 1, 0).
Proof.
  intros Hi Hj. assert (i = 0 \/ i = 1 \/ i = 2) as [-> | [-> | ->]] by lia;
    assert (j = 0 \/ j = 1 \/ j = 2) as [-> | [-> | ->]] by lia; reflexivity.
Qed.

Lemma plan_divides i l : 0 <= i < 3 -> 1 <= l <= 3 ->
  tableserial_modulus_plan c (4 * i + 3) l = (0, 0, true, 0, 4 - l).
Proof.
  intros Hi Hl. assert (i = 0 \/ i = 1 \/ i = 2) as [-> | [-> | ->]] by lia;
    assert (l = 1 \/ l = 2 \/ l = 3) as [-> | [-> | ->]] by lia; reflexivity.
Qed.

Definition four (m : Z -> Z) (now : state) (i : Z) : state :=
  modulus_pass m (modulus_pass m (modulus_pass m (modulus_pass m now (4 * i + 0)) (4 * i + 1))
    (4 * i + 2)) (4 * i + 3).

Lemma row_made fm m t s i t' s' : four fm (t, s) i = (t', s') ->
  0 <= i < 3 -> spell c c words fm m -> 16 * m <= whole c c words -> 0 < m ->
  ((i + 1) * m) mod 4 <> 0 -> spell c c words (t 0 0) 0 -> spell c c words (t i 0) (i * m) ->
  let x := (i + 1) * m in
  let q := 4 - x mod 4 in
  spell c c words (t' (i + 1) 0) x /\ spell c c words (t' 0 q) ((q + x) / 4)
  /\ forall r k, (r <> i + 1 \/ k <> 0) -> (r <> 0 \/ k <> q) -> t' r k = t r k.
Proof.
  intros E Hi Hm Wide Pm Hx H0 Hrow x q. unfold four in E.
  set (s1 := sum c c words fm (t i 0) false).
  assert (E1 : modulus_pass fm (t, s) (4 * i + 0) = (put t (i + 1) 0 s1, s1)).
  { unfold modulus_pass. rewrite plan_adds by lia. reflexivity. }
  rewrite E1 in E.
  set (s2 := sum c c words fm (put t (i + 1) 0 s1 i 0) false).
  assert (E2 : modulus_pass fm (put t (i + 1) 0 s1, s1) (4 * i + 1)
    = (put (put t (i + 1) 0 s1) (i + 1) 0 s2, s2)).
  { unfold modulus_pass. rewrite plan_adds by lia. reflexivity. }
  rewrite E2 in E. set (t2 := put (put t (i + 1) 0 s1) (i + 1) 0 s2) in *.
  set (s3 := sum c c words fm (t2 i 0) false).
  assert (E3 : modulus_pass fm (t2, s2) (4 * i + 2) = (put t2 (i + 1) 0 s3, s3)).
  { unfold modulus_pass. rewrite plan_adds by lia. reflexivity. }
  rewrite E3 in E. set (t3 := put t2 (i + 1) 0 s3) in *.
  assert (Ti : t2 i 0 = t i 0) by (unfold t2; rewrite !put_else by lia; reflexivity).
  assert (S3 : spell c c words s3 x).
  { unfold s3, x. rewrite Ti. replace ((i + 1) * m) with (m + i * m + Z.b2z false)
      by (cbn [Z.b2z]; lia).
    apply (sum_spells c c words Hc Hc Hwords); try assumption. cbn [Z.b2z]. nia. }
  destruct ((before_spells c c words Hc Hc Hwords) _ _ S3) as [B3 L3].
  pose proof (Z.mod_pos_bound x 4 ltac:(lia)) as Hq. fold x in Hx.
  set (s4 := sum c c words (before c c words s3) (t3 0 0) true).
  assert (E4 : modulus_pass fm (t3, s3) (4 * i + 3) = (put t3 0 q s4, s4)).
  { unfold modulus_pass. rewrite L3, plan_divides by lia. reflexivity. }
  rewrite E4 in E. injection E as <- <-.
  assert (T0 : t3 0 0 = t 0 0) by (unfold t3, t2; rewrite !put_else by lia; reflexivity).
  assert (S4 : spell c c words s4 ((q + x) / 4)).
  { unfold s4. rewrite T0.
    assert (Eq : (q + x) / 4 = x / 4 + 0 + Z.b2z true).
    { cbn [Z.b2z]. unfold q. pose proof (Z.div_mod x 4 ltac:(lia)).
      symmetry. apply Z.div_unique with 0; lia. }
    rewrite Eq. apply (sum_spells c c words Hc Hc Hwords); try assumption. cbn [Z.b2z].
    assert (x / 4 <= x) by (apply Z.div_le_upper_bound; unfold x; nia). unfold x in *. nia. }
  split; [| split].
  - rewrite put_else by lia. unfold t3. rewrite put_there. apply S3.
  - rewrite put_there. apply S4.
  - intros r k H1 H2. rewrite put_else by lia. unfold t3, t2. rewrite !put_else by lia. reflexivity.
Qed.

Lemma twelve_passes m now :
  passes (modulus_pass m) now 12 = four m (four m (four m now 0) 1) 2.
Proof. reflexivity. Qed.

Lemma entries_made fm m t s : spell c c words fm m -> 16 * m <= whole c c words -> 0 < m -> Z.odd m = true ->
  spell c c words (t 0 0) 0 ->
  let '(t', _) := passes (modulus_pass fm) (t, s) 12 in
  forall q, 0 <= q < 4 -> exists e, spell c c words (t' 0 q) e /\ entry m q e.
Proof.
  intros Hm Wide Pm Om H0. rewrite twelve_passes.
  assert (M : m mod 4 = 1 \/ m mod 4 = 3).
  { pose proof (Z.mod_pos_bound m 4 ltac:(lia)). pose proof (Z.div_mod m 4 ltac:(lia)) as D.
    rewrite D, Z.odd_add, Z.odd_mul in Om. clear D. change (Z.odd 4) with false in Om.
    cbn [andb xorb] in Om.
    assert (m mod 4 = 0 \/ m mod 4 = 1 \/ m mod 4 = 2 \/ m mod 4 = 3) as [E | [E | [E | E]]] by lia;
      rewrite E in Om; try discriminate Om; lia. }
  destruct (odd_multiples m M) as (X1 & X2 & X3).
  destruct (four fm (t, s) 0) as [t1 s1] eqn:F1.
  destruct (row_made _ _ _ _ _ _ _ F1 ltac:(lia) Hm Wide Pm ltac:(change (0 + 1) with 1; lia) H0
    ltac:(rewrite Z.mul_0_l; assumption)) as (A1 & B1 & C1).
  change (0 + 1) with 1 in *. rewrite X1 in *.
  destruct (four fm (t1, s1) 1) as [t2 s2] eqn:F2.
  destruct (row_made _ _ _ _ _ _ _ F2 ltac:(lia) Hm Wide Pm ltac:(change (1 + 1) with 2; lia)
    ltac:(rewrite C1 by lia; assumption) A1) as (A2 & B2 & C2).
  change (1 + 1) with 2 in *. rewrite X2 in *. change (4 - 2) with 2 in *.
  destruct (four fm (t2, s2) 2) as [t3 s3] eqn:F3.
  destruct (row_made _ _ _ _ _ _ _ F3 ltac:(lia) Hm Wide Pm ltac:(change (2 + 1) with 3; lia)
    ltac:(rewrite C2, C1 by lia; assumption) A2) as (A3 & B3 & C3).
  change (2 + 1) with 3 in *. rewrite X3 in *.
  replace (4 - (4 - m mod 4)) with (m mod 4) in * by lia.
  pose proof (Z.div_mod m 4 ltac:(lia)) as D.
  assert (Q0 : spell c c words (t3 0 0) 0) by (rewrite C3, C2, C1 by lia; assumption).
  assert (Q1 : spell c c words (t3 0 (4 - m mod 4)) ((4 - m mod 4 + 1 * m) / 4))
    by (rewrite C3, C2 by lia; assumption).
  assert (Q2 : spell c c words (t3 0 2) ((2 + 2 * m) / 4)) by (rewrite C3 by lia; assumption).
  apply (entry_of_each_digit (fun q e => spell c c words (t3 0 q) e)); assumption.
Qed.

End Entries.

(* ---- the product ----------------------------------------------------------------------------- *)

(* A table with the entries of a modulus, whatever rows of other multiplications stand above. *)
Theorem tableserial_value w c words fa fb fm a b m t0 s0 t s :
  0 < w -> 2 <= c -> c mod 2 = 0 -> (1 <= words)%nat -> w + 4 <= c * Z.of_nat words ->
  spell c c words fa a -> spell c c words fb b -> spell c c words fm m ->
  0 < m < 2 ^ w -> Z.odd m = true -> 0 <= a < 2 * m -> 0 <= b < 2 * m ->
  (forall k, 0 <= k < Z.of_nat words -> t0 0 0 k = 0) ->
  (forall q, 0 <= q < 4 -> t 0 q = fst (passes (modulus_pass c words fm) (t0, s0) 12) 0 q) ->
  let digits := (w + 3) / 2 in
  let built := fst (passes (build_pass c c words fb) (t, s) 12) in
  let p := low c (iterations c c words built (digit c fa) (Z.to_nat digits)) words in
  0 <= p < 2 * m /\ (4 ^ digits * p) mod m = (a * b) mod m.
Proof.
  intros Hw Hc Even Hn Wide Ha Hb Hm Rm Om Ra Rb Zero Row digits built p.
  assert (Bits : w + 4 <= c * (number words - 1) + c) by (unfold number; lia).
  apply product; try assumption.
  - assert (W : 16 * m <= whole c c words).
    { assert (2 ^ (w + 4) <= whole c c words) by (apply Z.pow_le_mono_r; lia).
      rewrite Z.pow_add_r in * by lia. lia. }
    assert (Z0 : spell c c words (t0 0 0) 0).
    { apply zeros; assumption. }
    pose proof (entries_made c words Hc Hn fm m t0 s0 Hm W ltac:(lia) Om Z0) as Made.
    destruct (passes (modulus_pass c words fm) (t0, s0) 12) as [t1 s1]. cbn [fst] in Row.
    intros q Hq. destruct (Made q Hq) as (x & S & X). exists x. rewrite Row by assumption.
    split; assumption.
  - assert (D : 2 * digits <= w + 3 /\ 0 <= digits).
    { unfold digits. Z.div_mod_to_equations; lia. }
    pose proof (half_size c Hc Even) as [Half Least]. destruct Ha as [R V].
    intros j Hj. apply (digit_value c words); try assumption.
    + intros k Hk. specialize (R k Hk). unfold size in R. destruct (k =? _); assumption.
    + nia.
Qed.

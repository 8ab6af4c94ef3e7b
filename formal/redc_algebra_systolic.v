(* SPDX-License-Identifier: Apache-2.0 *)
(* Montgomery multiplication in a line of n cells of two columns each, for every width w with
   2 n >= w + 3: cell j makes iteration i in cycle i + j. Cycles that redcore's solver compares with
   the RTL (systolic_step of redc_steps, which `redcore verify` writes from the same functions),
   begun by systolic_start, leave in the cells the bits of p < 2 m with 2^(w + 2) p = a b mod m.
   Partner: src/redcore/verify/width/systolic.py. *)
From Coq Require Import ZArith Lia Bool Btauto.
Require Import redc_algebra_bits redc_steps.
Open Scope Z_scope.

(* ---- carries of a sum ------------------------------------------------------------------------------ *)

Definition majority (x y z : bool) : bool := (x && y) || (x && z) || (y && z).

(* The carry into bit k of u + v + c. *)
Definition carry (u v : Z) (c : bool) (k : Z) : bool :=
  2 ^ k <=? u mod 2 ^ k + v mod 2 ^ k + Z.b2z c.

Lemma carry_first u v c : carry u v c 0 = c.
Proof. unfold carry. change (2 ^ 0) with 1. rewrite !Z.mod_1_r. destruct c; reflexivity. Qed.

Lemma sum_bit u v c k : 0 <= k ->
  Z.testbit (u + v + Z.b2z c) k = xorb (xorb (Z.testbit u k) (Z.testbit v k)) (carry u v c k).
Proof.
  intros Hk. rewrite !bit_odd by assumption.
  assert (Hp : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
  pose proof (Z.mod_pos_bound u (2 ^ k) Hp). pose proof (Z.mod_pos_bound v (2 ^ k) Hp).
  assert (E : (u + v + Z.b2z c) / 2 ^ k = u / 2 ^ k + v / 2 ^ k + Z.b2z (carry u v c k)).
  { pose proof (Z.div_mod u (2 ^ k) ltac:(lia)). pose proof (Z.div_mod v (2 ^ k) ltac:(lia)).
    symmetry. unfold carry.
    apply Z.div_unique with
      (u mod 2 ^ k + v mod 2 ^ k + Z.b2z c
       - 2 ^ k * Z.b2z (2 ^ k <=? u mod 2 ^ k + v mod 2 ^ k + Z.b2z c)).
    - left. destruct (Z.leb_spec (2 ^ k) (u mod 2 ^ k + v mod 2 ^ k + Z.b2z c));
        cbn [Z.b2z]; destruct c; cbn [Z.b2z] in *; lia.
    - lia. }
  rewrite E, !Z.odd_add. destruct (carry u v c k); reflexivity.
Qed.

Lemma carry_next u v c k : 0 <= k ->
  carry u v c (k + 1) = majority (Z.testbit u k) (Z.testbit v k) (carry u v c k).
Proof.
  intros Hk. unfold carry. rewrite !low_bits by assumption.
  assert (Hp : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
  rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2. set (P := 2 ^ k) in *.
  pose proof (Z.mod_pos_bound u P Hp). pose proof (Z.mod_pos_bound v P Hp).
  set (x := u mod P) in *. set (y := v mod P) in *. clearbody x y P.
  destruct (Z.leb_spec P (x + y + Z.b2z c)); destruct (Z.testbit u k), (Z.testbit v k);
    cbn [Z.b2z majority andb orb]; destruct c; cbn [Z.b2z] in *;
    first [apply Z.leb_le; lia | apply Z.leb_gt; lia].
Qed.

(* ---- iterations, on numbers ------------------------------------------------------------------------ *)

Lemma when_bit c x k : Z.testbit (when c x) k = c && Z.testbit x k.
Proof. destruct c; [reflexivity | apply Z.testbit_0_l]. Qed.

(* Half of the sum and q m; q is the sum's lowest bit, and m is odd. *)
Definition halved (m s : Z) : Z := s / 2 + when (Z.odd s) (m / 2) + Z.b2z (Z.odd s).

Definition next (a m s : Z) (bit : bool) : Z := halved m s + when bit a + Z.b2z false.

Fixpoint after (a b m : Z) (k : nat) : Z :=
  match k with
  | O => 0
  | S k => next a m (after a b m k) (Z.testbit b (Z.of_nat k))
  end.

(* The sum before iteration i; it is zero before the first, and what would come before that. *)
Definition sum (a b m i : Z) : Z := after a b m (Z.to_nat i).

Lemma sum_next a b m i : sum a b m (i + 1) = next a m (sum a b m i) (Z.testbit b i).
Proof.
  unfold sum. destruct (Z_lt_le_dec i 0).
  - rewrite (Z.testbit_neg_r b i) by assumption.
    replace (Z.to_nat (i + 1)) with O by lia. replace (Z.to_nat i) with O by lia. reflexivity.
  - replace (Z.to_nat (i + 1)) with (S (Z.to_nat i)) by lia. cbn [after].
    rewrite Z2Nat.id by assumption. reflexivity.
Qed.

Lemma halved_value m s : Z.odd m = true -> 2 * halved m s = s + Z.b2z (Z.odd s) * m.
Proof.
  intros Om. unfold halved. pose proof (halves s) as Es. pose proof (halves m) as Em.
  rewrite Om in Em. cbn [Z.b2z] in Em. destruct (Z.odd s); cbn [when Z.b2z] in *; lia.
Qed.

Lemma sum_bound a b m (k : nat) :
  0 <= a -> 0 < m -> Z.odd m = true -> 0 <= after a b m k < m + 2 * a.
Proof.
  intros Ha Hm Om. induction k as [| k IH]; cbn [after]; [lia |]. unfold next.
  pose proof (halved_value m (after a b m k) Om) as E.
  destruct (Z.testbit b (Z.of_nat k)), (Z.odd (after a b m k)); cbn [when Z.b2z] in *; lia.
Qed.

Lemma sum_value a b m (k : nat) : Z.odd m = true -> exists s, 0 <= s < 2 ^ Z.of_nat k
  /\ 2 ^ Z.of_nat k * after a b m (S k) = a * (b mod 2 ^ (Z.of_nat k + 1)) + s * m.
Proof.
  intros Om. induction k as [| k IH].
  - exists 0. change (2 ^ Z.of_nat 0) with 1. split; [lia |].
    rewrite low_bits by lia. change (2 ^ Z.of_nat 0) with 1. rewrite Z.mod_1_r.
    cbn [after]. unfold next, halved. change (0 / 2) with 0. change (Z.odd 0) with false.
    change (Z.of_nat 0) with 0. destruct (Z.testbit b 0); cbn [when Z.b2z]; lia.
  - destruct IH as (s & Hs & V).
    pose proof (halved_value m (after a b m (S k)) Om) as E.
    exists (s + 2 ^ Z.of_nat k * Z.b2z (Z.odd (after a b m (S k)))).
    rewrite low_bits by lia.
    change (after a b m (S (S k))) with
      (next a m (after a b m (S k)) (Z.testbit b (Z.of_nat (S k)))).
    unfold next. set (x := after a b m (S k)) in *. clearbody x.
    rewrite Z.pow_add_r in V by lia. change (2 ^ 1) with 2 in V.
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
    set (Q := 2 ^ Z.of_nat k) in *. rewrite (Z.mul_comm Q 2) in V.
    set (B := b mod (2 * Q)) in *. set (h := halved m x) in *. clearbody Q B h.
    destruct (Z.odd x), (Z.testbit b (Z.succ (Z.of_nat k))); cbn [when Z.b2z] in *; split; nia.
Qed.

(* ---- a column -------------------------------------------------------------------------------------- *)

(* A bit of the sum, the quotient's and b's bit, bits of m and a, and the two carries in. *)
Definition column_sum (x q bit y z cm ca : bool) : bool :=
  xorb (xorb (xorb (xorb x cm) (y && q)) ca) (z && bit).
Definition column_m (x q y cm : bool) : bool := majority x cm (y && q).
Definition column_a (x q bit y z cm ca : bool) : bool :=
  majority (xorb (xorb x cm) (y && q)) ca (z && bit).

Definition carry_m (m s k : Z) : bool := carry (s / 2) (when (Z.odd s) (m / 2)) (Z.odd s) k.
Definition carry_a (a m s : Z) (bit : bool) (k : Z) : bool :=
  carry (halved m s) (when bit a) false k.

Lemma column_value a m s bit k : 0 <= k ->
  let x := Z.testbit s (k + 1) in
  let y := Z.testbit (m / 2) k in
  let z := Z.testbit a k in
  let cm := carry_m m s k in
  let ca := carry_a a m s bit k in
  Z.testbit (next a m s bit) k = column_sum x (Z.odd s) bit y z cm ca
  /\ carry_m m s (k + 1) = column_m x (Z.odd s) y cm
  /\ carry_a a m s bit (k + 1) = column_a x (Z.odd s) bit y z cm ca.
Proof.
  intros Hk. unfold carry_m, carry_a, column_sum, column_m, column_a, next. cbv zeta.
  assert (H : Z.testbit (halved m s) k = xorb
    (xorb (Z.testbit (s / 2) k) (Z.testbit (when (Z.odd s) (m / 2)) k))
    (carry (s / 2) (when (Z.odd s) (m / 2)) (Z.odd s) k)) by (apply sum_bit; assumption).
  rewrite sum_bit, !carry_next, H, !when_bit, half_bit by assumption.
  unfold majority. repeat split; btauto.
Qed.

(* ---- cells --------------------------------------------------------------------------------------- *)

Lemma pushed_bit x c n j : 0 < n -> 0 <= j ->
  Z.testbit ((2 * x + Z.b2z c) mod 2 ^ n) j
  = if j <? n then (if j =? 0 then c else Z.testbit x (j - 1)) else false.
Proof.
  intros Hn Hj. destruct (Z.ltb_spec j n).
  - rewrite Z.mod_pow2_bits_low by lia. destruct (Z.eqb_spec j 0) as [-> | ?].
    + apply Z.testbit_0_r.
    + replace j with (Z.succ (j - 1)) at 1 by lia. apply Z.testbit_succ_r. lia.
  - apply Z.mod_pow2_bits_high. lia.
Qed.

(* Entry by entry, the bits of x are the even and the odd bits of y. *)
Definition halves_of (n y low high : Z) : Prop :=
  forall j, 0 <= j < n ->
  Z.testbit low j = Z.testbit y (2 * j) /\ Z.testbit high j = Z.testbit y (2 * j + 1).

Definition state : Type := Z * Z * Z * Z * Z * Z * Z * Z * Z.

Fixpoint run (n last b a_low a_high m_low m_high : Z) (t : nat) : state :=
  match t with
  | O => systolic_start n b
  | S k =>
    let '(high, bb, q, cm, ca, la, lp, hp, rest) := run n last b a_low a_high m_low m_high k in
    systolic_step n high bb q cm ca la lp hp rest a_low a_high m_low m_high (Z.of_nat t =? last)
  end.

(* What stands in the cells at time t: cell j is about to make iteration t - j. *)
Definition holds (n last a b m t : Z) (now : state) : Prop :=
  let '(high, bb, q, cm, ca, la, lp, hp, rest) := now in
  rest = b / 2 ^ t /\
  (forall j, n <= j -> Z.testbit high j = false /\ Z.testbit bb j = false
    /\ Z.testbit q j = false /\ Z.testbit cm j = false /\ Z.testbit ca j = false) /\
  (forall j, 0 <= j < n ->
    let s := sum a b m (t - j) in
    Z.testbit high j = Z.testbit s (2 * j + 1)
    /\ Z.testbit bb j = Z.testbit b (t - j)
    /\ Z.testbit q j = Z.odd s
    /\ Z.testbit cm j = carry_m m s (2 * j)
    /\ Z.testbit ca j = carry_a a m s (Z.testbit b (t - j)) (2 * j)
    /\ Z.testbit la j = (t - j =? last)
    /\ (last < t - j ->
      Z.testbit lp j = Z.testbit (sum a b m (last + 1)) (2 * j)
      /\ Z.testbit hp j = Z.testbit (sum a b m (last + 1)) (2 * j + 1))).

(* The low column of cell j, from what stands in all cells. *)
Definition low_sum (high bb q cm ca al ml j : Z) : bool :=
  column_sum (Z.testbit high j) (Z.testbit q j) (Z.testbit bb j) (Z.testbit ml j) (Z.testbit al j)
    (Z.testbit cm j) (Z.testbit ca j).
Definition low_m (high q cm ml j : Z) : bool :=
  column_m (Z.testbit high j) (Z.testbit q j) (Z.testbit ml j) (Z.testbit cm j).
Definition low_a (high bb q cm ca al ml j : Z) : bool :=
  column_a (Z.testbit high j) (Z.testbit q j) (Z.testbit bb j) (Z.testbit ml j) (Z.testbit al j)
    (Z.testbit cm j) (Z.testbit ca j).

(* The cells' bits after a cycle, from those before. *)
Lemma step_bits n high bb q cm ca la lp hp rest al ah ml mh ends : 0 < n ->
  let '(high', bb', q', cm', ca', la', lp', hp', rest') :=
    systolic_step n high bb q cm ca la lp hp rest al ah ml mh ends in
  let low := low_sum high bb q cm ca al ml in
  let mid_m := low_m high q cm ml in
  let mid_a := low_a high bb q cm ca al ml in
  let top j := column_sum (low (j + 1)) (Z.testbit q j) (Z.testbit bb j) (Z.testbit mh j)
    (Z.testbit ah j) (mid_m j) (mid_a j) in
  let entered j first following := if j <? n then (if j =? 0 then first else following) else false in
  rest' = rest / 2 /\
  (forall j, 0 <= j ->
    Z.testbit high' j = top j
    /\ Z.testbit bb' j = entered j (Z.odd (rest / 2)) (Z.testbit bb (j - 1))
    /\ Z.testbit q' j = entered j (low 0) (Z.testbit q (j - 1))
    /\ Z.testbit cm' j = entered j (low 0)
      (column_m (low j) (Z.testbit q (j - 1)) (Z.testbit mh (j - 1)) (mid_m (j - 1)))
    /\ Z.testbit ca' j = entered j false
      (column_a (low j) (Z.testbit q (j - 1)) (Z.testbit bb (j - 1)) (Z.testbit mh (j - 1))
        (Z.testbit ah (j - 1)) (mid_m (j - 1)) (mid_a (j - 1)))
    /\ Z.testbit la' j = entered j ends (Z.testbit la (j - 1))
    /\ Z.testbit lp' j = (if Z.testbit la j then low j else Z.testbit lp j)
    /\ Z.testbit hp' j = (if Z.testbit la j then top j else Z.testbit hp j)).
Proof.
  intros Hn. unfold systolic_step, low_sum, low_m, low_a, column_m, column_a, column_sum, majority. cbv zeta.
  split; [reflexivity |]. intros j Hj. rewrite !pushed_bit by assumption.
  destruct (Z.ltb_spec j n); destruct (Z.eqb_spec j 0);
    rewrite <- ?Z.bit0_odd;
    repeat first [rewrite Z.lxor_spec | rewrite Z.lor_spec | rewrite Z.land_spec
      | rewrite half_bit by lia];
    replace (j - 1 + 1) with j by lia;
    repeat split; btauto.
Qed.

Section Line.
Variables n last a b m al ah ml mh : Z.
Hypothesis Hn : 0 < n.
Hypothesis Ea : halves_of n a al ah.
Hypothesis Em : halves_of n (m / 2) ml mh.
Hypothesis fits : forall i, Z.testbit (sum a b m i) (2 * n) = false.

Lemma start_holds : 0 < last -> holds n last a b m 0 (systolic_start n b).
Proof.
  intros Hl. unfold systolic_start, holds. cbv zeta. split; [symmetry; apply Z.div_1_r |].
  assert (Z0 : forall i, i <= 0 -> sum a b m i = 0).
  { intros i Hi. unfold sum. replace (Z.to_nat i) with O by lia. reflexivity. }
  split.
  - intros j Hj. rewrite pushed_bit, !Z.testbit_0_l by lia.
    destruct (Z.ltb_spec j n); [lia | repeat split].
  - intros j Hj. rewrite (Z0 (0 - j)) by lia.
    rewrite pushed_bit, !Z.testbit_0_l by lia.
    destruct (Z.ltb_spec j n); [| lia].
    assert (C : forall u k, 0 <= k -> carry 0 u false k = false).
    { intros u k Hk. unfold carry. assert (0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
      rewrite Z.mod_0_l by lia. pose proof (Z.mod_pos_bound u (2 ^ k) ltac:(lia)).
      apply Z.leb_gt. cbn [Z.b2z]. lia. }
    unfold carry_m, carry_a. change (halved m 0) with 0. change (0 / 2) with 0.
    change (Z.odd 0) with false. rewrite !C by lia.
    repeat split; try lia.
    destruct (Z.eqb_spec j 0) as [-> | ?]; [symmetry; apply Z.bit0_odd |].
    rewrite Z.testbit_neg_r by lia. reflexivity.
Qed.

Lemma step_holds t now : 0 <= t -> holds n last a b m t now ->
  holds n last a b m (t + 1)
    (let '(high, bb, q, cm, ca, la, lp, hp, rest) := now in
     systolic_step n high bb q cm ca la lp hp rest al ah ml mh (t + 1 =? last)).
Proof.
  intros Ht. destruct now as [[[[[[[[high bb] q] cm] ca] la] lp] hp] rest].
  intros (Er & Hz & Hc).
  pose proof (step_bits n high bb q cm ca la lp hp rest al ah ml mh (t + 1 =? last) Hn) as B.
  destruct (systolic_step _ _ _ _ _ _ _ _ _ _ _ _ _ _ _)
    as [[[[[[[[high' bb'] q'] cm'] ca'] la'] lp'] hp'] rest'].
  cbv zeta in B. destruct B as [Er' B]. unfold holds.
  set (low := low_sum high bb q cm ca al ml) in *.
  set (mid_m := low_m high q cm ml) in *.
  set (mid_a := low_a high bb q cm ca al ml) in *.
  assert (First : forall j, 0 <= j < n ->
    low j = Z.testbit (sum a b m (t + 1 - j)) (2 * j)
    /\ mid_m j = carry_m m (sum a b m (t - j)) (2 * j + 1)
    /\ mid_a j = carry_a a m (sum a b m (t - j)) (Z.testbit b (t - j)) (2 * j + 1)).
  { intros j Hj. destruct (Hc j Hj) as (H1 & H2 & H3 & H4 & H5 & _).
    destruct (Ea j Hj) as [A1 _]. destruct (Em j Hj) as [M1 _].
    unfold low, mid_m, mid_a, low_sum, low_m, low_a. rewrite H1, H2, H3, H4, H5, A1, M1.
    replace (t + 1 - j) with (t - j + 1) by lia. rewrite sum_next.
    destruct (column_value a m (sum a b m (t - j)) (Z.testbit b (t - j)) (2 * j) ltac:(lia))
      as (V1 & V2 & V3).
    rewrite V1, V2, V3. repeat split. }
  assert (None : forall j, n <= j -> low j = false /\ mid_m j = false /\ mid_a j = false).
  { intros j Hj. destruct (Hz j Hj) as (H1 & H2 & H3 & H4 & H5).
    unfold low, mid_m, mid_a, low_sum, low_m, low_a. rewrite H1, H2, H3, H4, H5.
    unfold column_sum, column_m, column_a, majority. repeat split; btauto. }
  assert (Above : forall j, 0 <= j < n ->
    low (j + 1) = Z.testbit (sum a b m (t - j)) (2 * j + 1 + 1)).
  { intros j Hj. destruct (Z_lt_le_dec (j + 1) n).
    - destruct (First (j + 1) ltac:(lia)) as [-> _].
      replace (t + 1 - (j + 1)) with (t - j) by lia.
      replace (2 * (j + 1)) with (2 * j + 1 + 1) by lia. reflexivity.
    - destruct (None (j + 1) ltac:(lia)) as [-> _].
      replace (2 * j + 1 + 1) with (2 * n) by lia. rewrite fits. reflexivity. }
  assert (Second : forall j, 0 <= j < n ->
    let s := sum a b m (t - j) in
    column_sum (low (j + 1)) (Z.testbit q j) (Z.testbit bb j) (Z.testbit mh j) (Z.testbit ah j)
      (mid_m j) (mid_a j) = Z.testbit (sum a b m (t + 1 - j)) (2 * j + 1)
    /\ column_m (low (j + 1)) (Z.testbit q j) (Z.testbit mh j) (mid_m j)
      = carry_m m s (2 * j + 1 + 1)
    /\ column_a (low (j + 1)) (Z.testbit q j) (Z.testbit bb j) (Z.testbit mh j)
      (Z.testbit ah j) (mid_m j) (mid_a j) = carry_a a m s (Z.testbit b (t - j)) (2 * j + 1 + 1)).
  { intros j Hj. cbv zeta. destruct (Hc j Hj) as (_ & H2 & H3 & _).
    destruct (Ea j Hj) as [_ A2]. destruct (Em j Hj) as [_ M2].
    destruct (First j Hj) as (_ & F2 & F3).
    rewrite (Above j Hj), H2, H3, F2, F3, A2, M2.
    replace (t + 1 - j) with (t - j + 1) by lia. rewrite sum_next.
    destruct (column_value a m (sum a b m (t - j)) (Z.testbit b (t - j)) (2 * j + 1) ltac:(lia))
      as (V1 & V2 & V3).
    rewrite V1, V2, V3. repeat split. }
  clearbody low mid_m mid_a.
  assert (P2 : 0 < 2 ^ t) by (apply Z.pow_pos_nonneg; lia).
  split; [| split].
  - rewrite Er', Er, Z.div_div, Z.pow_add_r by lia. reflexivity.
  - intros j Hj. destruct (B j ltac:(lia)) as (-> & -> & -> & -> & -> & _).
    destruct (Z.ltb_spec j n); [lia |].
    destruct (None j Hj) as (_ & -> & ->). destruct (None (j + 1) ltac:(lia)) as [-> _].
    destruct (Hz j Hj) as (_ & -> & -> & _).
    unfold column_sum, majority. repeat split; btauto.
  - intros j Hj. cbv zeta. destruct (B j ltac:(lia)) as (-> & -> & -> & -> & -> & -> & -> & ->).
    destruct (Z.ltb_spec j n) as [_ | ?]; [| lia].
    destruct (Second j Hj) as [-> _].
    split; [reflexivity |].
    destruct (Hc j Hj) as (_ & _ & _ & _ & _ & -> & Hp).
    destruct (Z.eqb_spec j 0) as [-> | ?].
    + rewrite Z.sub_0_r. destruct (First 0 Hj) as (L0 & _). rewrite Z.sub_0_r in L0.
      rewrite L0. unfold carry_m, carry_a. change (2 * 0) with 0. rewrite !carry_first, !Z.bit0_odd.
      rewrite Er, Z.div_div by lia.
      split; [replace (2 ^ t * 2) with (2 ^ (t + 1)) by (rewrite Z.pow_add_r by lia; reflexivity);
        rewrite <- bit_odd by lia; reflexivity |].
      repeat (split; [reflexivity |]).
      intros Hl. destruct (Z.eqb_spec (t - 0) last) as [E | ?].
      * replace (last + 1) with (t + 1) by lia. rewrite ?Z.bit0_odd. split; reflexivity.
      * apply Hp. lia.
    + destruct (Hc (j - 1) ltac:(lia)) as (_ & -> & -> & _ & _ & -> & _).
      pose proof (Above (j - 1) ltac:(lia)) as Ab.
      destruct (Second (j - 1) ltac:(lia)) as (_ & S2 & S3).
      replace (j - 1 + 1) with j in * by lia.
      replace (2 * (j - 1) + 1 + 1) with (2 * j) in * by lia.
      destruct (Hc (j - 1) ltac:(lia)) as (_ & B1 & Q1 & _).
      rewrite B1, Q1 in S3. rewrite Q1 in S2. rewrite S2, S3.
      replace (t - (j - 1)) with (t + 1 - j) in * by lia.
      repeat (split; [reflexivity |]).
      intros Hl. destruct (Z.eqb_spec (t - j) last) as [E | ?].
      * replace (last + 1) with (t + 1 - j) by lia. destruct (First j Hj) as [-> _].
        split; reflexivity.
      * apply Hp. lia.
Qed.

Lemma run_holds : 0 < last -> forall t : nat,
  holds n last a b m (Z.of_nat t) (run n last b al ah ml mh t).
Proof.
  intros Hl t. induction t as [| t IH]; [apply start_holds; assumption |].
  cbn [run]. rewrite Nat2Z.inj_succ, <- Z.add_1_r. apply step_holds; [lia | assumption].
Qed.

End Line.

(* ---- the product --------------------------------------------------------------------------------- *)

(* Once the last iteration has left the cells that hold the result, they stand still. *)
Theorem systolic_value w n a b m al ah ml mh held p (t : nat) :
  0 < w -> w + 3 <= 2 * n -> w + 1 <= 2 * held -> held <= n ->
  0 < m < 2 ^ w -> Z.odd m = true -> 0 <= a < 2 * m -> 0 <= b < 2 * m ->
  halves_of n a al ah -> halves_of n (m / 2) ml mh ->
  w + 3 + held <= Z.of_nat t + 1 ->
  let '(_, _, _, _, _, _, low, high, _) := run n (w + 2) b al ah ml mh t in
  0 <= p < 2 ^ (w + 1) ->
  (forall i, 0 <= i < w + 1 ->
    Z.testbit p i = Z.testbit (if Z.even i then low else high) (i / 2)) ->
  p < 2 * m /\ (2 ^ (w + 2) * p) mod m = (a * b) mod m.
Proof.
  intros Hw Hn Hc Hcn Hm Om Ha Hb Ea Em Ht.
  assert (W : 2 ^ (w + 1) = 2 * 2 ^ w /\ 2 ^ (w + 2) = 4 * 2 ^ w /\ 2 ^ (w + 3) = 8 * 2 ^ w).
  { rewrite !Z.pow_add_r by lia. lia. }
  destruct W as (W1 & W2 & W3).
  assert (Fits : forall i, Z.testbit (sum a b m i) (2 * n) = false).
  { intros i. unfold sum.
    pose proof (sum_bound a b m (Z.to_nat i) ltac:(lia) ltac:(lia) Om) as S.
    assert (2 ^ (w + 3) <= 2 ^ (2 * n)) by (apply Z.pow_le_mono_r; lia).
    rewrite <- (Z.mod_small (after a b m (Z.to_nat i)) (2 ^ (2 * n))) by lia.
    apply Z.mod_pow2_bits_high. lia. }
  pose proof (run_holds n (w + 2) a b m al ah ml mh ltac:(lia) Ea Em Fits ltac:(lia) t) as H.
  destruct (run n (w + 2) b al ah ml mh t) as [[[[[[[[high bb] q] cm] ca] la] lp] hp] rest].
  destruct H as (_ & _ & H). intros Hp Bits.
  destruct (sum_value a b m (Z.to_nat (w + 2)) Om) as (s & Hs & V).
  rewrite Z2Nat.id in Hs, V by lia.
  replace (w + 2 + 1) with (w + 3) in V by lia. rewrite (Z.mod_small b) in V by lia.
  assert (E : sum a b m (w + 2 + 1) = after a b m (S (Z.to_nat (w + 2)))).
  { unfold sum. f_equal. lia. }
  pose proof (sum_bound a b m (S (Z.to_nat (w + 2))) ltac:(lia) ltac:(lia) Om) as L.
  rewrite <- E in *. set (x := sum a b m (w + 2 + 1)) in *.
  assert (AB : a * b <= 4 * m * m) by nia.
  assert (4 * m * m < 2 ^ (w + 2) * m) by nia.
  assert (Hx : 0 <= x < 2 * m) by nia.
  assert (P : p = x).
  { apply Z.bits_inj'. intros i Hi. destruct (Z_lt_le_dec i (w + 1)).
    - rewrite Bits by lia. pose proof (halves i) as Ei.
      rewrite <- Z.negb_odd. destruct (H (i / 2)) as (_ & _ & _ & _ & _ & _ & R).
      { destruct (Z.odd i); cbn [Z.b2z] in Ei; lia. }
      destruct R as [R1 R2].
      { destruct (Z.odd i); cbn [Z.b2z] in Ei; lia. }
      fold x in R1, R2. destruct (Z.odd i); cbn [negb Z.b2z] in *.
      + rewrite R2. f_equal. lia.
      + rewrite R1. f_equal. lia.
    - rewrite <- (Z.mod_small p (2 ^ (w + 1))), <- (Z.mod_small x (2 ^ (w + 1))) by lia.
      rewrite !Z.mod_pow2_bits_high by lia. reflexivity. }
  subst p. split; [lia |]. rewrite V. apply Z.mod_add. lia.
Qed.

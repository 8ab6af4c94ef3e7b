(* SPDX-License-Identifier: Apache-2.0 *)
(* Montgomery multiplication on a sum cut into words, for every width w, size c of a word and number
   of words: word j makes iteration i in cycle i + j, and carries and selects go from word to word
   in registers. Cycles of a word that redcore's solver compares with the RTL (carrychain_word of
   redc_steps, which `redcore verify` writes from the same functions), begun with nothing, keep
   words of 2 p, p < 2 m with 2^(w + 2) p = a b mod m.
   Partner: src/redcore/verify/width/carrychain.py. *)
From Coq Require Import ZArith Lia Bool Btauto.
Require Import redc_algebra_bits redc_steps.
Open Scope Z_scope.

(* ---- words of a number, and carries between them --------------------------------------------------- *)

Definition part (x at_ n : Z) : Z := (x / 2 ^ at_) mod 2 ^ n.

(* The carry into bit k of x + y. *)
Definition carry (x y k : Z) : bool := 2 ^ k <=? x mod 2 ^ k + y mod 2 ^ k.

Lemma part_range x k n : 0 <= n -> 0 <= part x k n < 2 ^ n.
Proof. intros. apply Z.mod_pos_bound, power. assumption. Qed.

Lemma part_bit x k n i : 0 <= k -> 0 <= i < n -> Z.testbit (part x k n) i = Z.testbit x (k + i).
Proof.
  intros. unfold part. rewrite Z.mod_pow2_bits_low, <- Z.shiftr_div_pow2, Z.shiftr_spec by lia.
  f_equal. lia.
Qed.

Lemma carry_first x y : carry x y 0 = false.
Proof. unfold carry. change (2 ^ 0) with 1. rewrite !Z.mod_1_r. reflexivity. Qed.

Lemma carry_zero x k : 0 <= k -> carry x 0 k = false.
Proof.
  intros Hk. pose proof (power k Hk). unfold carry. rewrite Z.mod_0_l by lia.
  pose proof (Z.mod_pos_bound x (2 ^ k) ltac:(lia)). apply Z.leb_gt. lia.
Qed.

(* What stands below bit k, and the carry. *)
Lemma split x y k : 0 <= k -> exists r, 0 <= r < 2 ^ k
  /\ x mod 2 ^ k + y mod 2 ^ k = 2 ^ k * Z.b2z (carry x y k) + r.
Proof.
  intros Hk. pose proof (power k Hk).
  pose proof (Z.mod_pos_bound x (2 ^ k) ltac:(lia)).
  pose proof (Z.mod_pos_bound y (2 ^ k) ltac:(lia)). unfold carry.
  exists (x mod 2 ^ k + y mod 2 ^ k - 2 ^ k * Z.b2z (2 ^ k <=? x mod 2 ^ k + y mod 2 ^ k)).
  destruct (Z.leb_spec (2 ^ k) (x mod 2 ^ k + y mod 2 ^ k)); cbn [Z.b2z]; lia.
Qed.

Lemma sum_above x y k : 0 <= k -> (x + y) / 2 ^ k = x / 2 ^ k + y / 2 ^ k + Z.b2z (carry x y k).
Proof.
  intros Hk. pose proof (power k Hk). destruct (split x y k Hk) as (r & Hr & E).
  pose proof (Z.div_mod x (2 ^ k) ltac:(lia)). pose proof (Z.div_mod y (2 ^ k) ltac:(lia)).
  symmetry. apply Z.div_unique with r; lia.
Qed.

Lemma sum_part x y k n : 0 <= k -> 0 <= n ->
  (part x k n + part y k n + Z.b2z (carry x y k)) mod 2 ^ n = part (x + y) k n.
Proof.
  intros Hk Hn. pose proof (power n Hn). unfold part.
  rewrite sum_above by assumption. set (u := x / 2 ^ k). set (v := y / 2 ^ k).
  rewrite <- (Z.add_mod_idemp_l (u mod _ + v mod _)), <- (Z.add_mod u v) by lia.
  rewrite Z.add_mod_idemp_l by lia. reflexivity.
Qed.

Lemma sum_carry x y k n : 0 <= k -> 0 <= n ->
  (2 ^ n <=? part x k n + part y k n + Z.b2z (carry x y k)) = carry x y (k + n).
Proof.
  intros Hk Hn. destruct (split x y k Hk) as (r & Hr & E).
  assert (Low : forall z, z mod 2 ^ (k + n) = z mod 2 ^ k + 2 ^ k * part z k n).
  { intros z. unfold part. rewrite Z.pow_add_r by assumption.
    apply Z.rem_mul_r; pose proof (power k Hk); pose proof (power n Hn); lia. }
  unfold carry at 2. rewrite !Low, Z.pow_add_r by assumption.
  pose proof (power k Hk). pose proof (power n Hn).
  pose proof (part_range x k n Hn). pose proof (part_range y k n Hn).
  set (P := 2 ^ k) in *. set (Q := 2 ^ n) in *. set (u := part x k n) in *. set (v := part y k n) in *.
  set (g := Z.b2z (carry x y k)) in *. clearbody P Q u v g.
  destruct (Z.leb_spec Q (u + v + g)); symmetry; [apply Z.leb_le | apply Z.leb_gt]; nia.
Qed.

Lemma sum_bit x y k : 0 <= k ->
  Z.testbit (x + y) k = xorb (xorb (Z.testbit x k) (Z.testbit y k)) (carry x y k).
Proof.
  intros Hk. rewrite !bit_odd, sum_above, !Z.odd_add by assumption.
  destruct (carry x y k); reflexivity.
Qed.

(* Halving takes a word's top bit from the word above. *)
Lemma half_part x k n : 0 <= k -> 0 < n ->
  part x k n / 2 + 2 ^ (n - 1) * Z.b2z (Z.testbit x (k + n)) = part (x / 2) k n.
Proof.
  intros Hk Hn. unfold part.
  assert (D : x / 2 / 2 ^ k = x / 2 ^ k / 2).
  { pose proof (power k Hk). rewrite !Z.div_div by lia. f_equal. lia. }
  rewrite D.
  assert (B : Z.testbit x (k + n) = Z.testbit (x / 2 ^ k) n).
  { rewrite <- Z.shiftr_div_pow2, Z.shiftr_spec by lia. f_equal. lia. }
  rewrite B. set (y := x / 2 ^ k). clearbody y.
  assert (E : 2 ^ n = 2 * 2 ^ (n - 1)).
  { rewrite <- Z.pow_succ_r by lia. f_equal. lia. }
  pose proof (power (n - 1) ltac:(lia)) as HP. rewrite bit_odd by lia.
  rewrite E, (Z.rem_mul_r y 2 (2 ^ (n - 1))) by lia.
  rewrite (Z.mul_comm 2 ((y / 2) mod _)), Z.div_add, (Z.div_small (y mod 2)), Z.add_0_l
    by (try apply Z.mod_pos_bound; lia).
  rewrite <- Z.div_div by lia. set (h := y / 2). clearbody h. set (P := 2 ^ (n - 1)) in *.
  rewrite (Z.mul_comm 2 P), Z.rem_mul_r by lia. rewrite (Zmod_odd (h / P)).
  destruct (Z.odd (h / P)); reflexivity.
Qed.

(* ---- iterations, on numbers ------------------------------------------------------------------------ *)

Definition addend_of (a m s : Z) (bit : bool) : Z := when bit (2 * a) + when (Z.testbit s 1) m.

Fixpoint after (a b m : Z) (k : nat) : Z :=
  match k with
  | O => 0
  | S k => after a b m k / 2 + addend_of a m (after a b m k) (Z.testbit b (Z.of_nat k))
  end.

(* The sum before iteration k, not halved yet; zero before the first, and what comes before that. *)
Definition sum (a b m k : Z) : Z := after a b m (Z.to_nat k).
Definition added (a b m k : Z) : Z := addend_of a m (sum a b m k) (Z.testbit b k).

Lemma sum_before a b m k : k <= 0 -> sum a b m k = 0.
Proof. intros. unfold sum. replace (Z.to_nat k) with O by lia. reflexivity. Qed.

Lemma added_before a b m k : k < 0 -> added a b m k = 0.
Proof.
  intros. unfold added. rewrite sum_before, Z.testbit_neg_r by lia. reflexivity.
Qed.

Lemma sum_next a b m k : sum a b m (k + 1) = sum a b m k / 2 + added a b m k.
Proof.
  destruct (Z_lt_le_dec k 0).
  - rewrite added_before, !sum_before by lia. reflexivity.
  - unfold added, sum. replace (Z.to_nat (k + 1)) with (S (Z.to_nat k)) by lia. cbn [after].
    rewrite Z2Nat.id by assumption. reflexivity.
Qed.

Lemma second_bit x : Z.testbit x 1 = Z.odd (x / 2).
Proof. rewrite bit_odd by lia. reflexivity. Qed.

Lemma when_odd c x : Z.odd (when c x) = c && Z.odd x.
Proof. destruct c; reflexivity. Qed.

Lemma added_odd a b m k : Z.odd m = true -> Z.odd (added a b m k) = Z.odd (sum a b m k / 2).
Proof.
  intros Om. unfold added, addend_of. rewrite Z.odd_add, !when_odd, Om, Z.odd_mul, second_bit.
  change (Z.odd 2) with false. btauto.
Qed.

Lemma sum_even a b m k : Z.odd m = true -> Z.odd (sum a b m k) = false.
Proof.
  intros Om. replace k with (k - 1 + 1) by lia. rewrite sum_next, Z.odd_add, added_odd by assumption.
  apply xorb_nilpotent.
Qed.

Lemma sum_bound a b m k : 0 <= a -> 0 < m -> 0 <= sum a b m k < 4 * a + 2 * m.
Proof.
  intros Ha Hm. unfold sum. induction (Z.to_nat k) as [| i IH]; cbn [after]; [lia |].
  unfold addend_of. pose proof (halves (after a b m i)) as E.
  destruct (Z.odd (after a b m i)), (Z.testbit b (Z.of_nat i)), (Z.testbit (after a b m i) 1);
    cbn [when Z.b2z] in *; lia.
Qed.

Lemma sum_value a b m (k : nat) : Z.odd m = true -> exists s, 0 <= s < 2 ^ Z.of_nat k
  /\ 2 ^ Z.of_nat k * sum a b m (Z.of_nat k)
     = 2 * (2 * a * (b mod 2 ^ Z.of_nat k) + s * m).
Proof.
  intros Om. induction k as [| k IH].
  - exists 0. change (2 ^ Z.of_nat 0) with 1. rewrite Z.mod_1_r, sum_before by lia. lia.
  - destruct IH as (s & Hs & V). set (i := Z.of_nat k) in *.
    replace (Z.of_nat (S k)) with (i + 1) by lia.
    assert (Hi : 0 <= i) by lia. pose proof (power i Hi) as P.
    pose proof (halves (sum a b m i)) as E. rewrite sum_even in E by assumption. cbn [Z.b2z] in E.
    exists (s + 2 ^ i * Z.b2z (Z.testbit (sum a b m i) 1)).
    rewrite sum_next, low_bits, Z.pow_add_r by lia. change (2 ^ 1) with 2.
    unfold added, addend_of. set (x := sum a b m i) in *. set (h := x / 2) in *.
    set (Q := 2 ^ i) in *. set (B := b mod Q) in *. clearbody Q B h x i.
    destruct (Z.testbit b i), (Z.testbit x 1); cbn [when Z.b2z] in *; split; nia.
Qed.

(* ---- a word ---------------------------------------------------------------------------------------- *)

Definition state : Type := Z * Z * bool * bool * bool * bool * bool * Z.

Lemma word_sum n x y (c : bool) : 0 < n -> 0 <= x < 2 ^ n -> 0 <= y < 2 ^ n ->
  ((x + y) mod 2 ^ (n + 1) + Z.b2z c) mod 2 ^ (n + 1) = x + y + Z.b2z c.
Proof.
  intros Hn Hx Hy. assert (2 ^ (n + 1) = 2 * 2 ^ n) by (rewrite Z.pow_add_r by lia; lia).
  rewrite (Z.mod_small (x + y)) by lia. apply Z.mod_small. destruct c; cbn [Z.b2z]; lia.
Qed.

Lemma when_part (c : bool) x k n : 0 <= k -> 0 <= n ->
  (if c then part x k n else 0) = part (when c x) k n.
Proof.
  intros Hk Hn. pose proof (power k Hk). pose proof (power n Hn).
  destruct c; [reflexivity |]. unfold part. cbn [when]. rewrite Z.div_0_l, Z.mod_0_l by lia.
  reflexivity.
Qed.

(* The lowest bits of the two sums that a word and the one above are making. *)
Definition quotient (s u : Z) : bool :=
  xorb (xorb (Z.odd (s / 2 / 2)) (Z.odd (u / 2))) (Z.odd (s / 2)).
Definition handed (cs : bool) (s_up u_up : Z) : bool :=
  xorb (xorb (Z.odd (s_up / 2)) (Z.odd u_up)) cs.

(* A word that is told what it adds, and which carries and bit come in. *)
Definition told n (s u : Z) (last : bool) kept (ba bm ca cs ends high : bool) x y : state :=
  let total := s / 2 + 2 ^ (n - 1) * Z.b2z high in
  let made := ((total + u) mod 2 ^ (n + 1) + Z.b2z cs) mod 2 ^ (n + 1) in
  let added := (((if ba then x else 0) + (if bm then y else 0)) mod 2 ^ (n + 1) + Z.b2z ca)
    mod 2 ^ (n + 1) in
  (made mod 2 ^ n, added mod 2 ^ n, ba, bm, 2 ^ n <=? added, 2 ^ n <=? made, ends,
   if last then made mod 2 ^ n else kept).

Lemma word_told n s u oa om oca ocs last kept ba bm ca cs ends s_up u_up first top bit' ends' x y :
  carrychain_word n s u oa om oca ocs last kept ba bm ca cs ends s_up u_up first top bit' ends' x y
  = told n s u last kept (if first then bit' else ba) (if first then quotient s u else bm)
    (if first then false else ca) (if first then false else cs) (if first then ends' else ends)
    (if top then false else handed ocs s_up u_up) x y.
Proof.
  unfold carrychain_word, told, quotient, handed.
  destruct first, top, ca, cs, ocs, (Z.odd (s_up / 2)), (Z.odd u_up); try reflexivity;
    destruct (Z.odd (s / 2 / 2)), (Z.odd (u / 2)), (Z.odd (s / 2)); reflexivity.
Qed.

Section Words.
Variables w c words a b m : Z.
(* Bits of a word, and where they begin. *)
Definition size (j : Z) : Z := if j =? words - 1 then w + 4 - c * (words - 1) else c.
Definition from (j : Z) : Z := c * j.
Definition iterations : Z := w + 3.

Definition nothing : state := (0, 0, false, false, false, false, false, 0).

(* All words, t cycles after the start; words that there are not stay as they are. *)
Definition step (t : Z) (now : Z -> state) (j : Z) : state :=
  let '(s, u, ba, bm, ca, cs, last, kept) := now j in
  let '(s_up, u_up, _, _, _, _, _, _) := now (j + 1) in
  let '(_, _, ba_low, bm_low, ca_low, cs_low, last_low, _) := now (j - 1) in
  let n := size j in
  carrychain_word n s u ba bm ca cs last kept ba_low bm_low ca_low cs_low last_low s_up u_up
    (j =? 0) (j =? words - 1) (Z.testbit b t) (t + 1 =? iterations)
    (part (2 * a) (from j) n) (part m (from j) n).

Fixpoint run (t : nat) : Z -> state :=
  match t with
  | O => fun _ => nothing
  | S k => step (Z.of_nat k) (run k)
  end.

(* What stands in word j that is about to make iteration k. *)
Definition stands (j k : Z) (now : state) : Prop :=
  let '(s, u, ba, bm, ca, cs, last, kept) := now in
  let p := from j in
  s = part (sum a b m k) p (size j)
  /\ u = part (added a b m k) p (size j)
  /\ ba = Z.testbit b k
  /\ bm = Z.testbit (sum a b m k) 1
  /\ (j < words - 1 -> ca = carry (when ba (2 * a)) (when bm m) (from (j + 1)))
  /\ (j < words - 1 -> cs = carry (sum a b m (k - 1) / 2) (added a b m (k - 1)) (from (j + 1)))
  /\ last = (k + 1 =? iterations)
  /\ (iterations <= k -> kept = part (sum a b m iterations) p (size j)).

Hypothesis Hc : 3 <= c.
Hypothesis Htop : 3 <= w + 4 - c * (words - 1).
Hypothesis Hw : 0 < w.
Hypothesis Om : Z.odd m = true.
Hypothesis fits : forall k, Z.testbit (sum a b m k) (w + 4) = false.

Lemma size_least j : 3 <= size j.
Proof. unfold size. destruct (Z.eqb_spec j (words - 1)); lia. Qed.

Lemma next_from j : j < words - 1 -> from j + size j = from (j + 1).
Proof. intros. unfold from, size. destruct (Z.eqb_spec j (words - 1)); lia. Qed.

Lemma top_from : from (words - 1) + size (words - 1) = w + 4.
Proof. unfold from, size. rewrite Z.eqb_refl. lia. Qed.

Lemma start_stands j : 0 <= j < words -> stands j (0 - j - 1) nothing.
Proof.
  intros Hj. unfold stands, nothing. cbv zeta. pose proof (size_least j).
  assert (0 <= from j) by (unfold from; nia). assert (0 <= from (j + 1)) by (unfold from; nia).
  rewrite !sum_before, !added_before, Z.testbit_neg_r by lia.
  change (0 / 2) with 0. change (Z.testbit 0 1) with false. cbn [when].
  rewrite !carry_zero by lia.
  assert (P0 : part 0 (from j) (size j) = 0).
  { unfold part. pose proof (power (from j) ltac:(lia)). pose proof (power (size j) ltac:(lia)).
    rewrite Z.div_0_l, Z.mod_0_l by lia. reflexivity. }
  rewrite P0. unfold iterations. repeat split.
  - symmetry. apply Z.eqb_neq. lia.
  - lia.
Qed.

(* One word, told what it should be. *)
Lemma word_stands j k now ba bm ca cs ends high : 0 <= j < words -> stands j k now ->
  ba = Z.testbit b (k + 1) ->
  bm = Z.testbit (sum a b m (k + 1)) 1 ->
  ca = carry (when ba (2 * a)) (when bm m) (from j) ->
  cs = carry (sum a b m k / 2) (added a b m k) (from j) ->
  ends = (k + 2 =? iterations) ->
  high = Z.testbit (sum a b m k) (from j + size j) ->
  stands j (k + 1)
    (let '(s, u, oa, om, oca, ocs, last, kept) := now in
     told (size j) s u last kept ba bm ca cs ends high
       (part (2 * a) (from j) (size j)) (part m (from j) (size j))).
Proof.
  intros Hj H Eba Ebm Eca Ecs Eends Ehigh.
  destruct now as [[[[[[[s u] oa] om] oca] ocs] last] kept].
  destruct H as (Es & Eu & _ & _ & _ & _ & El & Ek).
  assert (Hp : 0 <= from j) by (unfold from; nia). pose proof (size_least j) as Hn.
  unfold told. cbv zeta.
  set (p := from j) in *. set (n := size j) in *.
  rewrite Es, Eu, Ehigh, half_part, !when_part by lia.
  pose proof (part_range (sum a b m k / 2) p n ltac:(lia)).
  pose proof (part_range (added a b m k) p n ltac:(lia)).
  pose proof (part_range (when ba (2 * a)) p n ltac:(lia)).
  pose proof (part_range (when bm m) p n ltac:(lia)).
  rewrite !word_sum by lia.
  rewrite Eca, Ecs, !sum_part, !sum_carry, <- sum_next by lia.
  unfold stands. cbv zeta. fold p n.
  split; [reflexivity |]. split; [rewrite Eba, Ebm; reflexivity |].
  split; [assumption |]. split; [assumption |].
  split; [intros; unfold p, n; rewrite next_from by assumption; reflexivity |].
  split; [intros; unfold p, n; rewrite next_from by assumption;
    replace (k + 1 - 1) with k by lia; reflexivity |].
  split; [rewrite Eends; f_equal; lia |].
  intros Hk. rewrite El. destruct (Z.eqb_spec (k + 1) iterations) as [E | E].
  - rewrite E. reflexivity.
  - apply Ek. lia.
Qed.

Lemma run_stands (t : nat) : forall j, 0 <= j < words ->
  stands j (Z.of_nat t - j - 1) (run t j).
Proof.
  induction t as [| t IH]; intros j Hj; [apply start_stands; assumption |].
  cbn [run]. unfold step. rewrite Nat2Z.inj_succ, <- Z.add_1_r.
  set (T := Z.of_nat t) in *. assert (HT : 0 <= T) by lia.
  pose proof (IH j Hj) as Own. set (k := T - j - 1) in *.
  replace (T + 1 - j - 1) with (k + 1) by lia.
  assert (Hp : 0 <= from j) by (unfold from; nia). pose proof (size_least j) as Hn.
  pose proof (word_stands j k (run t j)) as W.
  destruct (run t j) as [[[[[[[s u] ba] bm] ca] cs] last] kept] eqn:Ej.
  assert (High : (if j =? words - 1 then false else
      let '(s_up, u_up, _, _, _, _, _, _) := run t (j + 1) in
      handed cs s_up u_up)
    = Z.testbit (sum a b m k) (from j + size j)).
  { destruct (Z.eqb_spec j (words - 1)) as [E | E].
    - rewrite E, top_from, fits. reflexivity.
    - pose proof (IH (j + 1) ltac:(lia)) as Up.
      destruct (run t (j + 1)) as [[[[[[[s_up u_up] x1] x2] x3] x4] x5] x6].
      destruct Up as (Es & Eu & _). destruct Own as (_ & _ & _ & _ & _ & Ec & _).
      unfold handed. rewrite Ec, Es, Eu, next_from by lia.
      replace (T - (j + 1) - 1) with (k - 1) by lia.
      pose proof (size_least (j + 1)). assert (0 <= from (j + 1)) by (unfold from; nia).
      pose proof (sum_next a b m (k - 1)) as Next. replace (k - 1 + 1) with k in Next by lia.
      rewrite Next, sum_bit by assumption.
      rewrite <- second_bit, <- (Z.bit0_odd (part _ _ _)), !part_bit, half_bit by lia.
      rewrite Z.add_0_r. btauto. }
  destruct (run t (j + 1)) as [[[[[[[s_up u_up] y1] y2] y3] y4] y5] y6].
  destruct (run t (j - 1)) as [[[[[[[z1 z2] ba'] bm'] ca'] cs'] last'] z8] eqn:El.
  rewrite word_told. destruct (Z.eqb_spec j 0) as [E0 | E0].
  - apply W; try assumption.
    + f_equal. lia.
    + destruct Own as (Es & Eu & _). unfold quotient.
      rewrite sum_next, sum_bit by lia.
      assert (F0 : from j = 0) by (unfold from; lia). rewrite F0 in *.
      assert (B : forall x i, 0 <= i < size j -> Z.testbit (part x 0 (size j)) i = Z.testbit x i).
      { intros. rewrite part_bit by lia. f_equal. }
      rewrite Es, Eu, <- !second_bit, !half_bit, !B by lia.
      change (1 + 1) with 2.
      assert (C : carry (sum a b m k / 2) (added a b m k) 1 = Z.testbit (sum a b m k) 1).
      { unfold carry. change (2 ^ 1) with 2. rewrite !Zmod_odd, added_odd, second_bit by assumption.
        destruct (Z.odd (sum a b m k / 2)); reflexivity. }
      rewrite C. reflexivity.
    + unfold from. rewrite E0, Z.mul_0_r, carry_first. reflexivity.
    + unfold from. rewrite E0, Z.mul_0_r, carry_first. reflexivity.
    + f_equal. lia.
  - pose proof (IH (j - 1) ltac:(lia)) as Low.
    rewrite El in Low. destruct Low as (_ & _ & Lba & Lbm & Lca & Lcs & Ll & _).
    replace (T - (j - 1) - 1) with (k + 1) in * by lia.
    replace (j - 1 + 1) with j in * by lia.
    replace (k + 1 - 1) with k in * by lia.
    apply W; try assumption.
    + apply Lca. lia.
    + apply Lcs. lia.
    + rewrite Ll. f_equal. lia.
Qed.

End Words.

(* ---- the product ----------------------------------------------------------------------------------- *)

(* Once the last iteration has left the topmost word, those that are kept stand still. *)
Theorem carrychain_value w c words a b m p (t : nat) :
  0 < w -> 3 <= c -> 1 <= words -> 3 <= w + 4 - c * (words - 1) ->
  0 < m < 2 ^ w -> Z.odd m = true -> 0 <= a < 2 * m -> 0 <= b < 2 * m ->
  w + 3 + words <= Z.of_nat t ->
  0 <= p < 2 ^ (w + 1) ->
  (forall i j, 0 <= j < words -> 0 <= i < size w c words j -> 1 <= c * j + i <= w + 1 ->
    let '(_, _, _, _, _, _, _, kept) := run w c words a b m t j in
    Z.testbit p (c * j + i - 1) = Z.testbit kept i) ->
  p < 2 * m /\ (2 ^ (w + 2) * p) mod m = (a * b) mod m.
Proof.
  intros Hw Hc Hn Ht Hm Om Ha Hb Time Hp Bits.
  assert (Powers : 2 ^ (w + 1) = 2 * 2 ^ w /\ 2 ^ (w + 2) = 4 * 2 ^ w /\ 2 ^ (w + 3) = 8 * 2 ^ w
    /\ 2 ^ (w + 4) = 16 * 2 ^ w).
  { rewrite !Z.pow_add_r by lia. lia. }
  destruct Powers as (P1 & P2 & P3 & P4).
  assert (Fits : forall k, Z.testbit (sum a b m k) (w + 4) = false).
  { intros k. pose proof (sum_bound a b m k ltac:(lia) ltac:(lia)).
    rewrite <- (Z.mod_small (sum a b m k) (2 ^ (w + 4))) by lia.
    apply Z.mod_pow2_bits_high. lia. }
  pose proof (run_stands w c words a b m Hc Ht Hw Om Fits t) as Run.
  destruct (sum_value a b m (Z.to_nat (w + 3)) Om) as (s & Hs & V).
  rewrite Z2Nat.id in Hs, V by lia. rewrite (Z.mod_small b) in V by lia.
  pose proof (sum_even a b m (w + 3) Om) as Even.
  pose proof (halves (sum a b m (w + 3))) as Half. rewrite Even in Half. cbn [Z.b2z] in Half.
  set (x := sum a b m (w + 3)) in *. set (h := x / 2) in *.
  assert (V2 : 2 * (2 ^ (w + 2) * h) = 2 * (a * b) + s * m) by nia.
  assert (Es : s = 2 * (s / 2)).
  { pose proof (halves s) as E. assert (O : Z.odd (s * m) = false).
    { replace (s * m) with (2 * (2 ^ (w + 2) * h - a * b)) by lia. apply Z.odd_mul. }
    rewrite Z.odd_mul, Om, andb_true_r in O. rewrite O in E. cbn [Z.b2z] in E. lia. }
  set (q := s / 2) in *. assert (V3 : 2 ^ (w + 2) * h = a * b + q * m) by nia.
  assert (AB : a * b <= 4 * m * m) by nia.
  assert (4 * m * m < 2 ^ (w + 2) * m) by nia.
  assert (q < 2 ^ (w + 2)) by lia.
  assert (0 <= q) by lia.
  assert (Hh : 0 <= h < 2 * m) by nia.
  assert (P : p = h).
  { apply Z.bits_inj'. intros i Hi. destruct (Z_lt_le_dec i (w + 1)).
    - assert (Place : exists j, 0 <= j < words /\ 0 <= i + 1 - c * j < size w c words j).
      { destruct (Z_lt_le_dec (i + 1) (c * (words - 1))) as [L | L].
        - exists ((i + 1) / c). pose proof (Z.div_mod (i + 1) c ltac:(lia)).
          pose proof (Z.mod_pos_bound (i + 1) c ltac:(lia)).
          assert (0 <= (i + 1) / c) by (apply Z.div_pos; lia).
          assert ((i + 1) / c < words - 1) by (apply Z.div_lt_upper_bound; lia).
          split; [lia |]. unfold size.
          destruct (Z.eqb_spec ((i + 1) / c) (words - 1)); lia.
        - exists (words - 1). split; [lia |]. unfold size. rewrite Z.eqb_refl. lia. }
      destruct Place as (j & Hj & Hij).
      specialize (Bits (i + 1 - c * j) j Hj Hij ltac:(lia)).
      specialize (Run j Hj).
      destruct (run w c words a b m t j) as [[[[[[[x1 x2] x3] x4] x5] x6] x7] kept].
      destruct Run as (_ & _ & _ & _ & _ & _ & _ & K).
      specialize (K ltac:(unfold iterations; lia)). unfold iterations in K. fold x in K.
      rewrite K, part_bit in Bits by (unfold from; nia).
      replace (c * j + (i + 1 - c * j) - 1) with i in Bits by lia.
      rewrite Bits. unfold h. rewrite half_bit by assumption. f_equal. unfold from. lia.
    - rewrite <- (Z.mod_small p (2 ^ (w + 1))), <- (Z.mod_small h (2 ^ (w + 1))) by lia.
      rewrite !Z.mod_pow2_bits_high by lia. reflexivity. }
  subst p. split; [lia |]. rewrite V3. apply Z.mod_add. lia.
Qed.

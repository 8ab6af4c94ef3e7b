(* SPDX-License-Identifier: Apache-2.0 *)
(* Montgomery multiplication from a table of multiples, word by word, for every width w, size c of a
   word and number of words: passes over the words of numbers, each of which adds an entry of the
   table. Words of a pass and the plans of passes are functions that redcore's solver compares with
   the RTL (redc_steps, which `redcore verify` writes from the same functions). Twelve passes of a
   modulus m, then any multiplications with it, then twelve passes with b and one for each digit of
   a, and one more, give p < 2 m with 4^((w + 3) / 2) p = a b mod m.
   Partner: src/redcore/verify/width/tableserial.py. *)
From Coq Require Import ZArith Lia Bool.
Require Import redc_algebra_bits redc_steps.
Open Scope Z_scope.

Section Machine.
Variables (c : Z) (words : nat).
Hypothesis Hc : 2 <= c.
Hypothesis Hwords : (1 <= words)%nat.

(* ---- words of a number ----------------------------------------------------------------------- *)

(* The lowest k of them, as a number. *)
Fixpoint low (f : Z -> Z) (k : nat) : Z :=
  match k with
  | O => 0
  | S k => low f k + 2 ^ (c * Z.of_nat k) * f (Z.of_nat k)
  end.

Definition number : Z := Z.of_nat words.
Definition whole : Z := 2 ^ (c * number).

Definition spell (f : Z -> Z) (x : Z) : Prop :=
  (forall w, 0 <= w < number -> 0 <= f w < 2 ^ c) /\ low f words = x.

Lemma next_power (k : nat) : 2 ^ (c * Z.of_nat (S k)) = 2 ^ (c * Z.of_nat k) * 2 ^ c.
Proof. rewrite <- Z.pow_add_r by lia. f_equal. lia. Qed.

Lemma low_range f (k : nat) : (forall w, 0 <= w < Z.of_nat k -> 0 <= f w < 2 ^ c) ->
  0 <= low f k < 2 ^ (c * Z.of_nat k).
Proof.
  induction k as [| k IH]; intros H.
  - cbn [low]. rewrite Z.mul_0_r. change (2 ^ 0) with 1. lia.
  - cbn [low]. rewrite next_power. specialize (IH ltac:(intros; apply H; lia)).
    specialize (H (Z.of_nat k) ltac:(lia)). pose proof (power (c * Z.of_nat k) ltac:(nia)). nia.
Qed.

Lemma spell_range f x : spell f x -> 0 <= x < whole.
Proof. intros [H <-]. apply low_range. assumption. Qed.

(* ---- a pass ---------------------------------------------------------------------------------- *)

Lemma add_value x y (carry : bool) : 0 <= x < 2 ^ c -> 0 <= y < 2 ^ c ->
  let '(s, out) := tableserial_add c x y carry in
  0 <= s < 2 ^ c /\ s + 2 ^ c * Z.b2z out = x + y + Z.b2z carry.
Proof.
  intros Hx Hy. unfold tableserial_add. cbv zeta.
  assert (E : 2 ^ (c + 1) = 2 * 2 ^ c) by (rewrite Z.pow_add_r by lia; lia).
  pose proof (power c ltac:(lia)) as P. rewrite E.
  assert (0 <= Z.b2z carry <= 1) by (destruct carry; cbn [Z.b2z]; lia).
  rewrite (Z.mod_small (x + y)) by lia. rewrite (Z.mod_small (x + y + _)) by lia.
  assert (0 <= x + y + Z.b2z carry < 2 * 2 ^ c) by lia.
  set (z := x + y + Z.b2z carry) in *. clearbody z. set (Q := 2 ^ c) in *. clearbody Q.
  destruct (Z.leb_spec Q z); cbn [Z.b2z].
  - replace (z mod Q) with (z - Q) by (apply Z.mod_unique with 1; lia). lia.
  - rewrite Z.mod_small by lia. lia.
Qed.

Fixpoint carry (x y : Z -> Z) (one : bool) (k : nat) : bool :=
  match k with
  | O => one
  | S k => snd (tableserial_add c (x (Z.of_nat k)) (y (Z.of_nat k)) (carry x y one k))
  end.

Definition sum (x y : Z -> Z) (one : bool) (w : Z) : Z :=
  fst (tableserial_add c (x w) (y w) (carry x y one (Z.to_nat w))).

Lemma sum_low x y one (k : nat) :
  (forall w, 0 <= w < Z.of_nat k -> 0 <= x w < 2 ^ c) ->
  (forall w, 0 <= w < Z.of_nat k -> 0 <= y w < 2 ^ c) ->
  (forall w, 0 <= w < Z.of_nat k -> 0 <= sum x y one w < 2 ^ c)
  /\ low (sum x y one) k + 2 ^ (c * Z.of_nat k) * Z.b2z (carry x y one k)
     = low x k + low y k + Z.b2z one.
Proof.
  induction k as [| k IH]; intros Hx Hy.
  - split; [lia |]. cbn [low carry]. rewrite Z.mul_0_r. change (2 ^ 0) with 1. lia.
  - destruct (IH ltac:(intros; apply Hx; lia) ltac:(intros; apply Hy; lia)) as [R V].
    pose proof (add_value _ _ (carry x y one k) (Hx (Z.of_nat k) ltac:(lia))
      (Hy (Z.of_nat k) ltac:(lia))) as A.
    assert (T : sum x y one (Z.of_nat k)
      = fst (tableserial_add c (x (Z.of_nat k)) (y (Z.of_nat k)) (carry x y one k))).
    { unfold sum. rewrite Nat2Z.id. reflexivity. }
    cbn [low carry]. rewrite T, next_power.
    destruct (tableserial_add c (x (Z.of_nat k)) (y (Z.of_nat k)) (carry x y one k)) as [s out].
    cbn [fst snd] in *. destruct A as [Rs As]. split.
    + intros w Hw. destruct (Z.eq_dec w (Z.of_nat k)) as [-> |]; [rewrite T; assumption |].
      apply R. lia.
    + set (Q := 2 ^ (c * Z.of_nat k)) in *. clearbody Q. nia.
Qed.

Lemma sum_spells fx fy one x y : spell fx x -> spell fy y -> x + y + Z.b2z one < whole ->
  spell (sum fx fy one) (x + y + Z.b2z one).
Proof.
  intros [Rx <-] [Ry <-] H. destruct (sum_low fx fy one words Rx Ry) as [R V].
  split; [assumption |]. pose proof (low_range _ _ R) as L. fold number whole in *.
  assert (P : 0 < whole) by (apply power; unfold number; lia).
  destruct (carry fx fy one words); cbn [Z.b2z] in V |- *; nia.
Qed.

(* ---- a sum without its lowest digit ---------------------------------------------------------- *)

Definition before (s : Z -> Z) (w : Z) : Z :=
  tableserial_shifted c (s w) (s (w + 1)) (w =? number - 1).

Lemma digit_bits x : Z.b2z (Z.testbit x 0) + 2 * Z.b2z (Z.testbit x 1) = x mod 4.
Proof.
  change 4 with (2 * 2). rewrite Z.rem_mul_r by lia. rewrite !bit_odd by lia.
  change (2 ^ 0) with 1. change (2 ^ 1) with 2. rewrite Z.div_1_r, !Zmod_odd.
  destruct (Z.odd x), (Z.odd (x / 2)); reflexivity.
Qed.

Lemma shifted_value word above last : 0 <= word < 2 ^ c ->
  tableserial_shifted c word above last
  = word / 4 + 2 ^ (c - 2) * (if last then 0 else above mod 4).
Proof.
  intros Hw. unfold tableserial_shifted. cbv zeta.
  assert (E : 2 ^ (c - 1) = 2 * 2 ^ (c - 2)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
  rewrite E. pose proof (digit_bits above) as D. set (P := 2 ^ (c - 2)) in *. clearbody P.
  replace (word / 4) with (word / 2 / 2) by (rewrite Z.div_div by lia; reflexivity).
  set (h := word / 2). clearbody h.
  destruct last; cbn [negb]; rewrite ?andb_false_r, ?andb_true_r, ?andb_true_l, ?andb_false_l;
    cbn [Z.b2z].
  - rewrite !Z.mul_0_r, !Z.add_0_r. reflexivity.
  - rewrite <- D.
    replace (h + 2 * P * Z.b2z (Z.testbit above 0))
      with (h + P * Z.b2z (Z.testbit above 0) * 2) by ring.
    rewrite Z.div_add by lia. ring.
Qed.

Lemma before_low s (k : nat) : (k < words)%nat ->
  (forall w, 0 <= w < number -> 0 <= s w < 2 ^ c) ->
  4 * low (before s) k + s 0 mod 4 = low s k + 2 ^ (c * Z.of_nat k) * (s (Z.of_nat k) mod 4).
Proof.
  intros Hk R. induction k as [| k IH].
  - cbn [low]. change (Z.of_nat 0) with 0. rewrite !Z.mul_0_r. change (2 ^ 0) with 1. lia.
  - specialize (IH ltac:(lia)). cbn [low]. rewrite next_power.
    unfold before at 2. unfold number in *. rewrite shifted_value by (apply R; lia).
    replace (Z.of_nat k =? Z.of_nat words - 1) with false by (symmetry; apply Z.eqb_neq; lia).
    replace (Z.of_nat k + 1) with (Z.of_nat (S k)) by lia.
    assert (E : 2 ^ c = 4 * 2 ^ (c - 2)).
    { change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. f_equal. lia. }
    rewrite E. set (Q := 2 ^ (c * Z.of_nat k)) in *. set (P := 2 ^ (c - 2)) in *. clearbody Q P.
    assert (D : Q * s (Z.of_nat k) = 4 * (Q * (s (Z.of_nat k) / 4)) + Q * (s (Z.of_nat k) mod 4)).
    { rewrite (Z.div_mod (s (Z.of_nat k)) 4) at 1 by lia. ring. }
    rewrite D. lia.
Qed.

Lemma before_spells s x : spell s x -> spell (before s) (x / 4) /\ s 0 mod 4 = x mod 4.
Proof.
  intros [R V].
  assert (E : 2 ^ c = 4 * 2 ^ (c - 2)).
  { change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. f_equal. lia. }
  assert (P : 0 < 2 ^ (c - 2)) by (apply power; lia).
  assert (Ew : exists k, words = S k) by (exists (Nat.pred words); lia). destruct Ew as [k Ew].
  pose proof (before_low s k ltac:(lia) R) as B.
  assert (T : before s (Z.of_nat k) = s (Z.of_nat k) / 4).
  { unfold before. rewrite shifted_value by (apply R; unfold number; lia).
    replace (Z.of_nat k =? number - 1) with true by (symmetry; apply Z.eqb_eq; unfold number; lia).
    lia. }
  assert (L : 4 * low (before s) (S k) + s 0 mod 4 = low s (S k)).
  { cbn [low]. rewrite T. pose proof (Z.div_mod (s (Z.of_nat k)) 4 ltac:(lia)). nia. }
  rewrite <- Ew, V in L. pose proof (Z.mod_pos_bound (s 0) 4 ltac:(lia)).
  split; [split |].
  - intros w Hw. unfold before. rewrite shifted_value by (apply R; lia).
    specialize (R w Hw). pose proof (Z.mod_pos_bound (s (w + 1)) 4 ltac:(lia)).
    assert (0 <= s w / 4 < 2 ^ (c - 2)).
    { split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]. }
    destruct (w =? number - 1); nia.
  - apply Z.div_unique with (s 0 mod 4); lia.
  - apply Z.mod_unique with (low (before s) words); lia.
Qed.

(* ---- digits of a ----------------------------------------------------------------------------- *)

(* What is left of the word, how many digits of it are taken, and which word it is. *)
Definition take (a : Z -> Z) (now : Z * Z * Z) : Z * (Z * Z * Z) :=
  let '(rest, at_, word) := now in
  let ends := at_ =? c / 2 - 1 in
  let '(digit, behind) := tableserial_digit c rest ends (a (word + 1)) in
  (digit, (behind, if ends then 0 else at_ + 1, if ends then word + 1 else word)).

Fixpoint taken (a : Z -> Z) (k : nat) : Z * Z * Z :=
  match k with
  | O => (a 0, 0, 0)
  | S k => snd (take a (taken a k))
  end.

Definition digit (a : Z -> Z) (k : nat) : Z := fst (take a (taken a k)).

(* ---- passes ---------------------------------------------------------------------------------- *)

Definition table : Type := Z -> Z -> Z -> Z.
Definition state : Type := table * (Z -> Z).

Definition put (t : table) (row column : Z) (f : Z -> Z) : table :=
  fun r q => if (r =? row) && (q =? column) then f else t r q.

Definition modulus_pass (m : Z -> Z) (now : state) (count : Z) : state :=
  let '(t, s) := now in
  let '(row, column, divides, to_row, to_column) :=
    tableserial_modulus_plan c count (s 0 mod 4) in
  let made := sum (if divides then before s else m) (t row column) divides in
  (put t to_row to_column made, made).

Definition build_pass (b : Z -> Z) (now : state) (count : Z) : state :=
  let '(t, s) := now in
  let '(row, column, divides, to_row, to_column) := tableserial_build_plan c count in
  let made := sum (if divides then before s else b) (t row column) divides in
  (put t to_row to_column made, made).

Fixpoint passes (pass : state -> Z -> state) (now : state) (k : nat) : state :=
  match k with
  | O => now
  | S k => pass (passes pass now k) (Z.of_nat k)
  end.

(* Iteration k, of which the first one adds to zero. *)
Fixpoint iterations (t : table) (a : Z -> Z) (k : nat) : Z -> Z :=
  match k with
  | O => sum (fun _ => 0) (t (digit a 0) 0) false
  | S k =>
    let s := iterations t a k in
    sum (before s) (t (digit a (S k)) (s 0 mod 4)) false
  end.

(* ---- what they give -------------------------------------------------------------------------- *)

Lemma zero_spells : spell (fun _ => 0) 0.
Proof.
  split; [intros; pose proof (power c ltac:(lia)); lia |].
  clear Hwords. induction words as [| k IH]; cbn [low]; lia.
Qed.

Lemma put_there t row column f : put t row column f row column = f.
Proof. unfold put. rewrite !Z.eqb_refl. reflexivity. Qed.

Lemma put_else t row column f r q : r <> row \/ q <> column -> put t row column f r q = t r q.
Proof.
  intros H. unfold put. destruct (Z.eqb_spec r row), (Z.eqb_spec q column); try reflexivity; lia.
Qed.

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
  0 <= i < 3 -> spell fm m -> 16 * m <= whole -> 0 < m ->
  ((i + 1) * m) mod 4 <> 0 -> spell (t 0 0) 0 -> spell (t i 0) (i * m) ->
  let x := (i + 1) * m in
  let q := 4 - x mod 4 in
  spell (t' (i + 1) 0) x /\ spell (t' 0 q) ((q + x) / 4)
  /\ forall r k, (r <> i + 1 \/ k <> 0) -> (r <> 0 \/ k <> q) -> t' r k = t r k.
Proof.
  intros E Hi Hm Wide Pm Hx H0 Hrow x q. unfold four in E.
  set (s1 := sum fm (t i 0) false).
  assert (E1 : modulus_pass fm (t, s) (4 * i + 0) = (put t (i + 1) 0 s1, s1)).
  { unfold modulus_pass. rewrite plan_adds by lia. reflexivity. }
  rewrite E1 in E.
  set (s2 := sum fm (put t (i + 1) 0 s1 i 0) false).
  assert (E2 : modulus_pass fm (put t (i + 1) 0 s1, s1) (4 * i + 1)
    = (put (put t (i + 1) 0 s1) (i + 1) 0 s2, s2)).
  { unfold modulus_pass. rewrite plan_adds by lia. reflexivity. }
  rewrite E2 in E. set (t2 := put (put t (i + 1) 0 s1) (i + 1) 0 s2) in *.
  set (s3 := sum fm (t2 i 0) false).
  assert (E3 : modulus_pass fm (t2, s2) (4 * i + 2) = (put t2 (i + 1) 0 s3, s3)).
  { unfold modulus_pass. rewrite plan_adds by lia. reflexivity. }
  rewrite E3 in E. set (t3 := put t2 (i + 1) 0 s3) in *.
  assert (Ti : t2 i 0 = t i 0) by (unfold t2; rewrite !put_else by lia; reflexivity).
  assert (S3 : spell s3 x).
  { unfold s3, x. rewrite Ti. replace ((i + 1) * m) with (m + i * m + Z.b2z false)
      by (cbn [Z.b2z]; lia).
    apply sum_spells; try assumption. cbn [Z.b2z]. nia. }
  destruct (before_spells _ _ S3) as [B3 L3].
  pose proof (Z.mod_pos_bound x 4 ltac:(lia)) as Hq. fold x in Hx.
  set (s4 := sum (before s3) (t3 0 0) true).
  assert (E4 : modulus_pass fm (t3, s3) (4 * i + 3) = (put t3 0 q s4, s4)).
  { unfold modulus_pass. rewrite L3, plan_divides by lia. reflexivity. }
  rewrite E4 in E. injection E as <- <-.
  assert (T0 : t3 0 0 = t 0 0) by (unfold t3, t2; rewrite !put_else by lia; reflexivity).
  assert (S4 : spell s4 ((q + x) / 4)).
  { unfold s4. rewrite T0.
    assert (Eq : (q + x) / 4 = x / 4 + 0 + Z.b2z true).
    { cbn [Z.b2z]. unfold q. pose proof (Z.div_mod x 4 ltac:(lia)).
      symmetry. apply Z.div_unique with 0; lia. }
    rewrite Eq. apply sum_spells; try assumption. cbn [Z.b2z].
    assert (x / 4 <= x) by (apply Z.div_le_upper_bound; unfold x; nia). unfold x in *. nia. }
  split; [| split].
  - rewrite put_else by lia. unfold t3. rewrite put_there. apply S3.
  - rewrite put_there. apply S4.
  - intros r k H1 H2. rewrite put_else by lia. unfold t3, t2. rewrite !put_else by lia. reflexivity.
Qed.

(* E_q, which with the quotient digit j makes q + j m whole. *)
Definition entry (m q e : Z) : Prop := exists j, 0 <= j <= 3 /\ q + j * m = 4 * e.

Lemma twelve_passes m now :
  passes (modulus_pass m) now 12 = four m (four m (four m now 0) 1) 2.
Proof. reflexivity. Qed.

Lemma entries_made fm m t s : spell fm m -> 16 * m <= whole -> 0 < m -> Z.odd m = true ->
  spell (t 0 0) 0 ->
  let '(t', _) := passes (modulus_pass fm) (t, s) 12 in
  forall q, 0 <= q < 4 -> exists e, spell (t' 0 q) e /\ entry m q e.
Proof.
  intros Hm Wide Pm Om H0. rewrite twelve_passes.
  assert (M : m mod 4 = 1 \/ m mod 4 = 3).
  { pose proof (Z.mod_pos_bound m 4 ltac:(lia)). pose proof (Z.div_mod m 4 ltac:(lia)) as D.
    rewrite D, Z.odd_add, Z.odd_mul in Om. clear D. change (Z.odd 4) with false in Om.
    cbn [andb xorb] in Om.
    assert (m mod 4 = 0 \/ m mod 4 = 1 \/ m mod 4 = 2 \/ m mod 4 = 3) as [E | [E | [E | E]]] by lia;
      rewrite E in Om; try discriminate Om; lia. }
  assert (X : (1 * m) mod 4 = m mod 4 /\ (2 * m) mod 4 = 2 /\ (3 * m) mod 4 = 4 - m mod 4).
  { rewrite Z.mul_1_l. rewrite (Z.mul_mod 2), (Z.mul_mod 3) by lia.
    destruct M as [E | E]; rewrite E; repeat split; reflexivity. }
  destruct X as (X1 & X2 & X3).
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
  assert (Q0 : spell (t3 0 0) 0) by (rewrite C3, C2, C1 by lia; assumption).
  assert (Q1 : spell (t3 0 (4 - m mod 4)) ((4 - m mod 4 + 1 * m) / 4))
    by (rewrite C3, C2 by lia; assumption).
  assert (Q2 : spell (t3 0 2) ((2 + 2 * m) / 4)) by (rewrite C3 by lia; assumption).
  assert (Exact : forall x, x mod 4 = 0 -> x = 4 * (x / 4)).
  { intros x Hx. pose proof (Z.div_mod x 4 ltac:(lia)). lia. }
  intros q Hq. destruct (Z.eq_dec q 0) as [-> |].
  { exists 0. split; [assumption |]. exists 0. lia. }
  destruct (Z.eq_dec q 2) as [-> |].
  { eexists. split; [eassumption |]. exists 2. split; [lia |]. apply Exact.
    rewrite Z.add_mod, X2 by lia. reflexivity. }
  destruct (Z.eq_dec q (4 - m mod 4)) as [-> |].
  - eexists. split; [eassumption |]. exists 1. split; [lia |]. apply Exact.
    rewrite Z.add_mod, X1 by lia. destruct M as [E | E]; rewrite E; reflexivity.
  - assert (q = m mod 4) as -> by lia.
    eexists. split; [eassumption |]. exists 3. split; [lia |]. apply Exact.
    rewrite Z.add_mod, X3 by lia. destruct M as [E | E]; rewrite E; reflexivity.
Qed.

(* Entries with b. *)
Lemma plan_builds k : 0 <= k < 12 ->
  tableserial_build_plan c k = (k / 4, k mod 4, false, k / 4 + 1, k mod 4).
Proof.
  intros Hk.
  assert (k = 0 \/ k = 1 \/ k = 2 \/ k = 3 \/ k = 4 \/ k = 5 \/ k = 6 \/ k = 7 \/ k = 8 \/ k = 9
    \/ k = 10 \/ k = 11) as H by lia.
  repeat (destruct H as [-> | H]; [reflexivity |]). subst k. reflexivity.
Qed.

Lemma table_made fb b (e : Z -> Z) t s (k : nat) : spell fb b -> (k <= 12)%nat ->
  (forall q, 0 <= q < 4 -> 3 * b + e q < whole) -> 0 <= b ->
  (forall q, 0 <= q < 4 -> spell (t 0 q) (e q)) ->
  forall r q, 0 <= r -> 0 <= q < 4 -> 4 * r + q < Z.of_nat k + 4 ->
  spell (fst (passes (build_pass fb) (t, s) k) r q) (r * b + e q).
Proof.
  intros Hb Hk Wide Pb H0. induction k as [| k IH]; intros r q Hr Hq Hi.
  - assert (r = 0) as -> by lia. cbn [passes fst]. rewrite Z.mul_0_l. apply H0. assumption.
  - specialize (IH ltac:(lia)). cbn [passes].
    destruct (passes (build_pass fb) (t, s) k) as [t' s'] eqn:E. cbn [fst] in IH.
    unfold build_pass. rewrite plan_builds by lia. cbn [fst].
    set (z := Z.of_nat k) in *.
    pose proof (Z.div_mod z 4 ltac:(lia)) as D. pose proof (Z.mod_pos_bound z 4 ltac:(lia)) as M.
    assert (0 <= z / 4) by (apply Z.div_pos; lia).
    destruct (Z.eq_dec (4 * r + q) (z + 4)) as [Here | Else].
    + assert (q = z mod 4) by lia. assert (r = z / 4 + 1) by lia. subst r q.
      rewrite put_there. replace ((z / 4 + 1) * b + e (z mod 4))
        with (b + (z / 4 * b + e (z mod 4)) + Z.b2z false) by (cbn [Z.b2z]; ring).
      apply sum_spells; [assumption | apply IH; lia |].
      specialize (Wide (z mod 4) M). cbn [Z.b2z]. assert (z / 4 <= 2) by lia. nia.
    + rewrite put_else by lia. apply IH; lia.
Qed.

(* Digits. *)
Lemma low_split f (k : nat) j : (j <= k)%nat ->
  exists high, low f k = low f j + 2 ^ (c * Z.of_nat j) * high
    /\ ((j < k)%nat -> exists h, high = f (Z.of_nat j) + 2 ^ c * h).
Proof.
  intros Hj. induction k as [| k IH].
  - assert (j = O) as -> by lia. exists 0. split; [lia |]. lia.
  - destruct (Nat.eq_dec j (S k)) as [-> |].
    + exists 0. split; [lia |]. lia.
    + destruct (IH ltac:(lia)) as (high & V & H). cbn [low].
      exists (high + 2 ^ (c * (Z.of_nat k - Z.of_nat j)) * f (Z.of_nat k)). split.
      * rewrite V. replace (2 ^ (c * Z.of_nat k))
          with (2 ^ (c * Z.of_nat j) * 2 ^ (c * (Z.of_nat k - Z.of_nat j)))
          by (rewrite <- Z.pow_add_r by nia; f_equal; ring).
        ring.
      * intros _. destruct (Nat.eq_dec j k) as [-> |].
        -- assert (high = 0) as ->.
           { pose proof (power (c * Z.of_nat k) ltac:(nia)). nia. }
           exists 0. rewrite Z.sub_diag, Z.mul_0_r. change (2 ^ 0) with 1. lia.
        -- destruct (H ltac:(lia)) as [h ->].
           exists (h + 2 ^ (c * (Z.of_nat k - Z.of_nat j - 1)) * f (Z.of_nat k)).
           replace (2 ^ (c * (Z.of_nat k - Z.of_nat j)))
             with (2 ^ c * 2 ^ (c * (Z.of_nat k - Z.of_nat j - 1)))
             by (rewrite <- Z.pow_add_r by nia; f_equal; ring).
           ring.
Qed.

Hypothesis Even : c mod 2 = 0.

Lemma half_size : c = 2 * (c / 2) /\ 1 <= c / 2.
Proof. pose proof (Z.div_mod c 2 ltac:(lia)). lia. Qed.

Lemma taken_value fa (k : nat) : (forall w, 0 <= w < number -> 0 <= fa w < 2 ^ c) ->
  Z.of_nat k < number * (c / 2) ->
  let '(rest, at_, word) := taken fa k in
  0 <= at_ < c / 2 /\ 0 <= word < number /\ Z.of_nat k = word * (c / 2) + at_
  /\ rest = fa word / 4 ^ at_.
Proof.
  intros R. pose proof half_size as [E D]. set (d := c / 2) in *.
  induction k as [| k IH]; intros Hk.
  - cbn [taken]. change (4 ^ 0) with 1. rewrite Z.div_1_r. unfold number in *. repeat split; lia.
  - specialize (IH ltac:(lia)). cbn [taken].
    destruct (taken fa k) as [[rest at_] word]. destruct IH as (Ha & Hw & Ek & El).
    unfold take. fold d. unfold tableserial_digit. cbv zeta. cbn [snd].
    destruct (Z.eqb_spec at_ (d - 1)) as [-> | Else].
    + assert (word + 1 < number) by nia.
      change (4 ^ 0) with 1. rewrite Z.div_1_r. repeat split; nia.
    + repeat split; try lia. rewrite El.
      rewrite !Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia).
      f_equal. rewrite Z.pow_add_r by lia. change (4 ^ 1) with 4. ring.
Qed.

Lemma digit_value fa a (k : nat) : spell fa a -> Z.of_nat k < number * (c / 2) ->
  digit fa k = (a / 4 ^ Z.of_nat k) mod 4.
Proof.
  intros [R V] Hk. pose proof (taken_value fa k R Hk) as T. unfold digit.
  destruct (taken fa k) as [[rest at_] word]. destruct T as (Ha & Hw & Ek & El).
  unfold take, tableserial_digit. cbv zeta. cbn [fst]. change (2 ^ 0) with 1. change (2 ^ 2) with 4.
  rewrite Z.div_1_r, El, Ek. pose proof half_size as [E D]. set (d := c / 2) in *.
  destruct (low_split fa words (Z.to_nat word) ltac:(unfold number in *; lia)) as (high & L & H).
  destruct (H ltac:(unfold number in *; lia)) as [h Eh]. rewrite V in L.
  rewrite Z2Nat.id in * by lia.
  pose proof (low_range fa (Z.to_nat word)) as B. rewrite Z2Nat.id in B by lia.
  specialize (B ltac:(intros; apply R; lia)).
  assert (F : 2 ^ (c * word) = 4 ^ (word * d)).
  { change 4 with (2 ^ 2). rewrite <- Z.pow_mul_r by nia. f_equal. nia. }
  assert (G : 2 ^ c = 4 ^ at_ * (4 * 4 ^ (d - 1 - at_))).
  { rewrite E. change 4 with (2 ^ 2) at 1 2 3.
    rewrite <- !Z.pow_mul_r, <- !Z.pow_add_r by lia. f_equal. lia. }
  rewrite F in *.
  assert (P1 : 0 < 4 ^ (word * d)) by (apply Z.pow_pos_nonneg; nia).
  assert (P2 : 0 < 4 ^ at_) by (apply Z.pow_pos_nonneg; lia).
  rewrite Z.pow_add_r, <- Z.div_div by nia.
  assert (A : a / 4 ^ (word * d) = high).
  { symmetry. apply Z.div_unique with (low fa (Z.to_nat word)); lia. }
  rewrite A, Eh, G.
  replace (fa word + 4 ^ at_ * (4 * 4 ^ (d - 1 - at_)) * h)
    with (fa word + 4 * 4 ^ (d - 1 - at_) * h * 4 ^ at_) by ring.
  rewrite Z.div_add by lia.
  replace (fa word / 4 ^ at_ + 4 * 4 ^ (d - 1 - at_) * h)
    with (fa word / 4 ^ at_ + 4 ^ (d - 1 - at_) * h * 4) by ring.
  rewrite Z.mod_add by lia. reflexivity.
Qed.

(* Iterations. *)
Lemma iterations_value t fa a b m (e : Z -> Z) (k : nat) :
  spell fa a -> 0 <= b < 2 * m -> 16 * m <= whole -> 0 < m ->
  (forall q, 0 <= q < 4 -> entry m q (e q)) -> e 0 = 0 ->
  (forall r q, 0 <= r < 4 -> 0 <= q < 4 -> spell (t r q) (r * b + e q)) ->
  Z.of_nat k < number * (c / 2) ->
  exists x s, spell (iterations t fa k) x /\ x <= 9 * m - 4 /\ 0 <= s < 4 ^ Z.of_nat k
    /\ 4 ^ Z.of_nat k * x = (a mod 4 ^ (Z.of_nat k + 1)) * b + s * m.
Proof.
  intros Ha Hb Wide Pm He E0 Ht. induction k as [| k IH]; intros Hk.
  - cbn [iterations]. rewrite (digit_value fa a) by assumption.
    change (4 ^ Z.of_nat 0) with 1. rewrite Z.div_1_r. change (4 ^ (Z.of_nat 0 + 1)) with 4.
    pose proof (Z.mod_pos_bound a 4 ltac:(lia)) as Hd.
    exists (0 + (a mod 4 * b + e 0) + Z.b2z false), 0. rewrite E0. cbn [Z.b2z].
    split; [| repeat split; nia].
    replace (0 + (a mod 4 * b + 0) + 0) with (0 + (a mod 4 * b + e 0) + Z.b2z false)
      by (rewrite E0; cbn [Z.b2z]; ring).
    apply sum_spells; [apply zero_spells | apply Ht; lia |]. rewrite E0. cbn [Z.b2z]. nia.
  - destruct (IH ltac:(lia)) as (x & s & Sx & Bx & Hs & V). cbn [iterations].
    destruct (before_spells _ _ Sx) as [B L]. rewrite L, (digit_value fa a) by assumption.
    pose proof (spell_range _ _ Sx) as Rx.
    set (Q := 4 ^ Z.of_nat k) in *.
    assert (PQ : 0 < Q) by (apply Z.pow_pos_nonneg; lia).
    assert (E1 : 4 ^ Z.of_nat (S k) = 4 * Q).
    { unfold Q. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. }
    assert (E2 : 4 ^ (Z.of_nat k + 1) = 4 * Q) by (rewrite Z.pow_add_r by lia; fold Q; lia).
    assert (E3 : 4 ^ (Z.of_nat (S k) + 1) = 4 * Q * 4).
    { rewrite Z.pow_add_r by lia. rewrite E1. lia. }
    rewrite E1, E3 in *. rewrite E2 in V. rewrite (Z.rem_mul_r a (4 * Q) 4) by lia.
    set (d := (a / (4 * Q)) mod 4) in *.
    assert (Hd : 0 <= d < 4) by (apply Z.mod_pos_bound; lia).
    set (q := x mod 4) in *. assert (Hq : 0 <= q < 4) by (apply Z.mod_pos_bound; lia).
    pose proof (Z.div_mod x 4 ltac:(lia)) as D. fold q in D.
    destruct (He q Hq) as (j & Hj & Ej).
    assert (V1 : 4 * (x / 4 + (d * b + e q) + Z.b2z false) = x + 4 * d * b + j * m).
    { cbn [Z.b2z]. lia. }
    set (y := x / 4 + (d * b + e q) + Z.b2z false) in *.
    assert (By : y <= 9 * m - 4) by nia.
    exists y, (s + Q * j). split; [| repeat split; try nia].
    apply sum_spells; [assumption | apply Ht; lia |]. fold y. lia.
Qed.

End Machine.

(* ---- the product ----------------------------------------------------------------------------- *)

(* A table with the entries of a modulus, whatever rows of other multiplications stand above. *)
Theorem tableserial_value w c words fa fb fm a b m t0 s0 t s :
  0 < w -> 2 <= c -> c mod 2 = 0 -> (1 <= words)%nat -> w + 4 <= c * Z.of_nat words ->
  spell c words fa a -> spell c words fb b -> spell c words fm m ->
  0 < m < 2 ^ w -> Z.odd m = true -> 0 <= a < 2 * m -> 0 <= b < 2 * m ->
  (forall k, 0 <= k < Z.of_nat words -> t0 0 0 k = 0) ->
  (forall q, 0 <= q < 4 -> t 0 q = fst (passes (modulus_pass c words fm) (t0, s0) 12) 0 q) ->
  let digits := (w + 3) / 2 in
  let built := fst (passes (build_pass c words fb) (t, s) 12) in
  let p := low c (iterations c words built fa (Z.to_nat digits)) words in
  0 <= p < 2 * m /\ (4 ^ digits * p) mod m = (a * b) mod m.
Proof.
  intros Hw Hc Even Hn Wide Ha Hb Hm Rm Om Ra Rb Zero Row digits built p.
  pose proof (half_size c words Hc Hn Even) as [Half Least].
  assert (D : w + 2 <= 2 * digits <= w + 3 /\ 0 <= digits).
  { unfold digits. Z.div_mod_to_equations; lia. }
  assert (Fits : digits < number words * (c / 2)) by (unfold number; nia).
  clearbody digits.
  assert (P4 : 2 ^ (w + 2) = 4 * 2 ^ w) by (rewrite Z.pow_add_r by lia; lia).
  assert (W : 16 * m <= whole c words).
  { assert (2 ^ (w + 4) <= whole c words) by (apply Z.pow_le_mono_r; unfold number; lia).
    rewrite Z.pow_add_r in * by lia. lia. }
  assert (R : 4 * 2 ^ w <= 4 ^ digits).
  { rewrite <- P4. change 4 with (2 ^ 2). rewrite <- Z.pow_mul_r by lia.
    apply Z.pow_le_mono_r; lia. }
  assert (Z0 : spell c words (t0 0 0) 0).
  { split.
    - intros k Hk. rewrite Zero by assumption. pose proof (power c ltac:(lia)). lia.
    - clear - Zero. induction words as [| k IH]; [reflexivity |]. cbn [low].
      rewrite IH by (intros; apply Zero; lia). rewrite Zero by lia. lia. }
  pose proof (entries_made c words Hc Hn fm m t0 s0 Hm W ltac:(lia) Om Z0) as Made.
  destruct (passes (modulus_pass c words fm) (t0, s0) 12) as [t1 s1]. cbn [fst] in Row.
  set (e := fun q => low c (t 0 q) words).
  assert (E : forall q, 0 <= q < 4 -> spell c words (t 0 q) (e q) /\ entry m q (e q)).
  { intros q Hq. destruct (Made q Hq) as (x & S & X). rewrite <- Row in S by assumption.
    assert (e q = x) as -> by apply S. split; assumption. }
  assert (E0 : e 0 = 0).
  { destruct (E 0 ltac:(lia)) as (_ & j & Hj & X).
    assert (Om' : Z.odd (j * m) = Z.odd j) by (rewrite Z.odd_mul, Om, andb_true_r; reflexivity).
    assert (O : j * m = 2 * (2 * e 0)) by lia. rewrite O, Z.odd_mul in Om'.
    change (Z.odd 2) with false in Om'. cbn [andb] in Om'.
    assert (j = 0 \/ j = 1 \/ j = 2 \/ j = 3) as [-> | [-> | [-> | ->]]] by lia;
      try discriminate Om'; [lia |].
    assert (m = 2 * e 0) by lia. rewrite H, Z.odd_mul in Om. discriminate Om. }
  assert (Most : forall q, 0 <= q < 4 -> 3 * b + e q < whole c words).
  { intros q Hq. destruct (E q Hq) as (_ & j & Hj & X). nia. }
  assert (T : forall r q, 0 <= r < 4 -> 0 <= q < 4 -> spell c words (built r q) (r * b + e q)).
  { intros r q Hr Hq. unfold built. apply table_made; try assumption; try lia.
    intros k Hk. apply E. assumption. }
  destruct (iterations_value c words Hc Hn Even built fa a b m e (Z.to_nat digits) Ha Rb W
    ltac:(lia) (fun q Hq => proj2 (E q Hq)) E0 T ltac:(rewrite Z2Nat.id; lia))
    as (x & s' & Sx & Bx & Hs & V).
  assert (p = x) as -> by apply Sx. rewrite Z2Nat.id in * by lia.
  pose proof (spell_range _ _ Hc Hn _ _ Sx) as Rx.
  assert (Q : 4 ^ (digits + 1) = 4 ^ digits * 4) by (rewrite Z.pow_add_r by lia; reflexivity).
  rewrite (Z.mod_small a) in V by lia.
  split.
  - split; [lia |]. assert (a * b < 4 * m * m) by nia. nia.
  - rewrite V. apply Z.mod_add. lia.
Qed.

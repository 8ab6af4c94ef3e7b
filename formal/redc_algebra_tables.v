(* SPDX-License-Identifier: Apache-2.0 *)
(* Montgomery multiplication from a table of multiples, word by word, whatever makes the entries of
   the modulus: what redc_algebra_tablechain.v and redc_algebra_tableserial.v take. Words have c bits,
   the topmost one has h. Words of a pass and the plan of passes with b are functions that redcore's
   solver compares with the RTL (redc_steps).
   Partner: src/redcore/verify/width/tables.py. *)
From Coq Require Import ZArith Lia Bool.
Require Import redc_algebra_bits redc_steps.
Open Scope Z_scope.

(* ---- words of a number ----------------------------------------------------------------------- *)

(* The lowest k of them, of c bits each, as a number; the topmost one may have others. *)
Fixpoint low (c : Z) (f : Z -> Z) (k : nat) : Z :=
  match k with
  | O => 0
  | S k => low c f k + 2 ^ (c * Z.of_nat k) * f (Z.of_nat k)
  end.

Lemma next_power (c : Z) (k : nat) : 0 <= c ->
  2 ^ (c * Z.of_nat (S k)) = 2 ^ (c * Z.of_nat k) * 2 ^ c.
Proof. intros. rewrite <- Z.pow_add_r by nia. f_equal. lia. Qed.

Lemma low_range c f (k : nat) : 0 <= c -> (forall w, 0 <= w < Z.of_nat k -> 0 <= f w < 2 ^ c) ->
  0 <= low c f k < 2 ^ (c * Z.of_nat k).
Proof.
  intros Hc. induction k as [| k IH]; intros H.
  - cbn [low]. rewrite Z.mul_0_r. change (2 ^ 0) with 1. lia.
  - cbn [low]. rewrite next_power by assumption. specialize (IH ltac:(intros; apply H; lia)).
    specialize (H (Z.of_nat k) ltac:(lia)). pose proof (power (c * Z.of_nat k) ltac:(nia)). nia.
Qed.

(* ---- digits of a ----------------------------------------------------------------------------- *)

Section Digits.
Variables (c : Z) (words : nat).
Hypothesis Hc : 2 <= c.
Hypothesis Even : c mod 2 = 0.

(* What is left of the word, how many digits of it are taken, and which word it is. *)
Definition take (a : Z -> Z) (now : Z * Z * Z) : Z * (Z * Z * Z) :=
  let '(rest, at_, word) := now in
  let ends := at_ =? c / 2 - 1 in
  let '(digit, behind) := tables_digit c rest ends (a (word + 1)) in
  (digit, (behind, if ends then 0 else at_ + 1, if ends then word + 1 else word)).

Fixpoint taken (a : Z -> Z) (k : nat) : Z * Z * Z :=
  match k with
  | O => (a 0, 0, 0)
  | S k => snd (take a (taken a k))
  end.

Definition digit (a : Z -> Z) (k : nat) : Z := fst (take a (taken a k)).

Lemma low_split f (k : nat) j : (j <= k)%nat ->
  exists high, low c f k = low c f j + 2 ^ (c * Z.of_nat j) * high
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

Lemma half_size : c = 2 * (c / 2) /\ 1 <= c / 2.
Proof. pose proof (Z.div_mod c 2 ltac:(lia)). lia. Qed.

Lemma taken_value fa (k : nat) : (forall w, 0 <= w < Z.of_nat words -> 0 <= fa w < 2 ^ c) ->
  Z.of_nat k < Z.of_nat words * (c / 2) ->
  let '(rest, at_, word) := taken fa k in
  0 <= at_ < c / 2 /\ 0 <= word < Z.of_nat words /\ Z.of_nat k = word * (c / 2) + at_
  /\ rest = fa word / 4 ^ at_.
Proof.
  intros R. pose proof half_size as [E D]. set (d := c / 2) in *.
  induction k as [| k IH]; intros Hk.
  - cbn [taken]. change (4 ^ 0) with 1. rewrite Z.div_1_r. repeat split; lia.
  - specialize (IH ltac:(lia)). cbn [taken].
    destruct (taken fa k) as [[rest at_] word]. destruct IH as (Ha & Hw & Ek & El).
    unfold take. fold d. unfold tables_digit. cbv zeta. cbn [snd].
    destruct (Z.eqb_spec at_ (d - 1)) as [-> | Else].
    + assert (word + 1 < Z.of_nat words) by nia.
      change (4 ^ 0) with 1. rewrite Z.div_1_r. repeat split; nia.
    + repeat split; try lia. rewrite El.
      rewrite !Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia).
      f_equal. rewrite Z.pow_add_r by lia. change (4 ^ 1) with 4. ring.
Qed.

Lemma digit_value fa a (k : nat) : (forall w, 0 <= w < Z.of_nat words -> 0 <= fa w < 2 ^ c) ->
  low c fa words = a -> Z.of_nat k < Z.of_nat words * (c / 2) ->
  digit fa k = (a / 4 ^ Z.of_nat k) mod 4.
Proof.
  intros R V Hk. pose proof (taken_value fa k R Hk) as T. unfold digit.
  destruct (taken fa k) as [[rest at_] word]. destruct T as (Ha & Hw & Ek & El).
  unfold take, tables_digit. cbv zeta. cbn [fst]. change (2 ^ 0) with 1. change (2 ^ 2) with 4.
  rewrite Z.div_1_r, El, Ek. pose proof half_size as [E D]. set (d := c / 2) in *.
  destruct (low_split fa words (Z.to_nat word) ltac:(lia)) as (high & L & H).
  destruct (H ltac:(lia)) as [h Eh]. rewrite V in L.
  rewrite Z2Nat.id in * by lia.
  pose proof (low_range c fa (Z.to_nat word) ltac:(lia)) as B. rewrite Z2Nat.id in B by lia.
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
  { symmetry. apply Z.div_unique with (low c fa (Z.to_nat word)); lia. }
  rewrite A, Eh, G.
  replace (fa word + 4 ^ at_ * (4 * 4 ^ (d - 1 - at_)) * h)
    with (fa word + 4 * 4 ^ (d - 1 - at_) * h * 4 ^ at_) by ring.
  rewrite Z.div_add by lia.
  replace (fa word / 4 ^ at_ + 4 * 4 ^ (d - 1 - at_) * h)
    with (fa word / 4 ^ at_ + 4 ^ (d - 1 - at_) * h * 4) by ring.
  rewrite Z.mod_add by lia. reflexivity.
Qed.

End Digits.

(* ---- tables ---------------------------------------------------------------------------------- *)

Definition table : Type := Z -> Z -> Z -> Z.
Definition state : Type := table * (Z -> Z).

Definition put (t : table) (row column : Z) (f : Z -> Z) : table :=
  fun r q => if (r =? row) && (q =? column) then f else t r q.

Fixpoint passes (pass : state -> Z -> state) (now : state) (k : nat) : state :=
  match k with
  | O => now
  | S k => pass (passes pass now k) (Z.of_nat k)
  end.

Lemma put_there t row column f : put t row column f row column = f.
Proof. unfold put. rewrite !Z.eqb_refl. reflexivity. Qed.

Lemma put_else t row column f r q : r <> row \/ q <> column -> put t row column f r q = t r q.
Proof.
  intros H. unfold put. destruct (Z.eqb_spec r row), (Z.eqb_spec q column); try reflexivity; lia.
Qed.

(* E_q, which with the quotient digit j makes q + j m whole. *)
Definition entry (m q e : Z) : Prop := exists j, 0 <= j <= 3 /\ q + j * m = 4 * e.

Lemma odd_multiples m : m mod 4 = 1 \/ m mod 4 = 3 ->
  (1 * m) mod 4 = m mod 4 /\ (2 * m) mod 4 = 2 /\ (3 * m) mod 4 = 4 - m mod 4.
Proof.
  intros M. rewrite Z.mul_1_l. rewrite (Z.mul_mod 2), (Z.mul_mod 3) by lia.
  destruct M as [E | E]; rewrite E; repeat split; reflexivity.
Qed.

(* What holds for 0 and for three multiples of m, divided, does so for an entry of each digit. *)
Lemma entry_of_each_digit (made : Z -> Z -> Prop) m : m mod 4 = 1 \/ m mod 4 = 3 -> made 0 0 ->
  made (4 - m mod 4) ((4 - m mod 4 + 1 * m) / 4) -> made 2 ((2 + 2 * m) / 4) ->
  made (m mod 4) ((m mod 4 + 3 * m) / 4) ->
  forall q, 0 <= q < 4 -> exists e, made q e /\ entry m q e.
Proof.
  intros M Q0 Q1 Q2 Q3. destruct (odd_multiples m M) as (X1 & X2 & X3).
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

(* ---- words of a pass ------------------------------------------------------------------------- *)

Lemma digit_bits x : Z.b2z (Z.testbit x 0) + 2 * Z.b2z (Z.testbit x 1) = x mod 4.
Proof.
  change 4 with (2 * 2). rewrite Z.rem_mul_r by lia. rewrite !bit_odd by lia.
  change (2 ^ 0) with 1. change (2 ^ 1) with 2. rewrite Z.div_1_r, !Zmod_odd.
  destruct (Z.odd x), (Z.odd (x / 2)); reflexivity.
Qed.

Section Machine.
Variables (c h : Z) (words : nat).
Hypothesis Hc : 2 <= c.
Hypothesis Hh : 2 <= h.
Hypothesis Hwords : (1 <= words)%nat.

Definition number : Z := Z.of_nat words.
Definition size (w : Z) : Z := if w =? number - 1 then h else c.
Definition whole : Z := 2 ^ (c * (number - 1) + h).

Definition spell (f : Z -> Z) (x : Z) : Prop :=
  (forall w, 0 <= w < number -> 0 <= f w < 2 ^ size w) /\ low c f words = x.

Lemma size_low w : w < number - 1 -> size w = c.
Proof. intros H. unfold size. destruct (Z.eqb_spec w (number - 1)); [lia | reflexivity]. Qed.

Lemma size_top (k : nat) : words = S k -> size (Z.of_nat k) = h.
Proof.
  intros E. unfold size, number. rewrite E. rewrite (proj2 (Z.eqb_eq _ _)) by lia. reflexivity.
Qed.

Lemma size_two w : 2 <= size w.
Proof. unfold size. destruct (w =? number - 1); assumption. Qed.

Lemma top : exists k, words = S k.
Proof. exists (Nat.pred words). lia. Qed.

Lemma whole_top (k : nat) : words = S k -> whole = 2 ^ (c * Z.of_nat k) * 2 ^ h.
Proof. intros E. unfold whole, number. rewrite E, <- Z.pow_add_r by nia. f_equal. lia. Qed.

Lemma below f (k : nat) : words = S k -> (forall w, 0 <= w < number -> 0 <= f w < 2 ^ size w) ->
  (forall w, 0 <= w < Z.of_nat k -> 0 <= f w < 2 ^ c) /\ 0 <= f (Z.of_nat k) < 2 ^ h.
Proof.
  intros E R. split.
  - intros w Hw. specialize (R w ltac:(unfold number; lia)).
    rewrite size_low in R by (unfold number; lia). assumption.
  - specialize (R (Z.of_nat k) ltac:(unfold number; lia)). rewrite (size_top k E) in R. assumption.
Qed.

Lemma spell_range f x : spell f x -> 0 <= x < whole.
Proof.
  intros [R <-]. destruct top as [k E]. destruct (below f k E R) as [Rk Rt].
  rewrite (whole_top k E), E. cbn [low]. pose proof (low_range c f k ltac:(lia) Rk). nia.
Qed.

(* ---- a pass ---------------------------------------------------------------------------------- *)

Lemma add_value n x y (carry : bool) : 0 <= n ->
  0 <= x < 2 ^ n -> 0 <= y < 2 ^ n ->
  let '(s, out) := tables_add n x y carry in
  0 <= s < 2 ^ n /\ s + 2 ^ n * Z.b2z out = x + y + Z.b2z carry.
Proof.
  intros Hn Hx Hy. unfold tables_add. cbv zeta.
  assert (E : 2 ^ (n + 1) = 2 * 2 ^ n) by (rewrite Z.pow_add_r by lia; lia).
  pose proof (power n ltac:(lia)) as P. rewrite E.
  assert (0 <= Z.b2z carry <= 1) by (destruct carry; cbn [Z.b2z]; lia).
  rewrite (Z.mod_small (x + y)) by lia. rewrite (Z.mod_small (x + y + _)) by lia.
  assert (0 <= x + y + Z.b2z carry < 2 * 2 ^ n) by lia.
  set (z := x + y + Z.b2z carry) in *. clearbody z. set (Q := 2 ^ n) in *. clearbody Q.
  destruct (Z.leb_spec Q z); cbn [Z.b2z].
  - replace (z mod Q) with (z - Q) by (apply Z.mod_unique with 1; lia). lia.
  - rewrite Z.mod_small by lia. lia.
Qed.

Fixpoint carry (x y : Z -> Z) (one : bool) (k : nat) : bool :=
  match k with
  | O => one
  | S k =>
    let w := Z.of_nat k in snd (tables_add (size w) (x w) (y w) (carry x y one k))
  end.

Definition sum (x y : Z -> Z) (one : bool) (w : Z) : Z :=
  fst (tables_add (size w) (x w) (y w) (carry x y one (Z.to_nat w))).

Lemma sum_low x y one (k : nat) : (k < words)%nat ->
  (forall w, 0 <= w < Z.of_nat k -> 0 <= x w < 2 ^ c) ->
  (forall w, 0 <= w < Z.of_nat k -> 0 <= y w < 2 ^ c) ->
  (forall w, 0 <= w < Z.of_nat k -> 0 <= sum x y one w < 2 ^ c)
  /\ low c (sum x y one) k + 2 ^ (c * Z.of_nat k) * Z.b2z (carry x y one k)
     = low c x k + low c y k + Z.b2z one.
Proof.
  induction k as [| k IH]; intros Hk Hx Hy.
  - split; [lia |]. cbn [low carry]. rewrite Z.mul_0_r. change (2 ^ 0) with 1. lia.
  - destruct (IH ltac:(lia) ltac:(intros; apply Hx; lia) ltac:(intros; apply Hy; lia)) as [R V].
    pose proof (add_value c _ _ (carry x y one k) ltac:(lia) (Hx (Z.of_nat k) ltac:(lia))
      (Hy (Z.of_nat k) ltac:(lia))) as A.
    assert (T : sum x y one (Z.of_nat k)
      = fst (tables_add c (x (Z.of_nat k)) (y (Z.of_nat k)) (carry x y one k))).
    { unfold sum. rewrite Nat2Z.id, size_low by (unfold number; lia). reflexivity. }
    cbn [low carry]. cbv zeta. rewrite T, next_power by lia.
    rewrite (size_low (Z.of_nat k)) by (unfold number; lia).
    destruct (tables_add c (x (Z.of_nat k)) (y (Z.of_nat k)) (carry x y one k)) as [s out].
    cbn [fst snd] in *. destruct A as [Rs As]. split.
    + intros w Hw. destruct (Z.eq_dec w (Z.of_nat k)) as [-> |]; [rewrite T; assumption |].
      apply R. lia.
    + set (Q := 2 ^ (c * Z.of_nat k)) in *. clearbody Q. nia.
Qed.

Lemma sum_spells fx fy one x y : spell fx x -> spell fy y -> x + y + Z.b2z one < whole ->
  spell (sum fx fy one) (x + y + Z.b2z one).
Proof.
  intros [Rx Vx] [Ry Vy] H. destruct top as [k E].
  destruct (below fx k E Rx) as [Lx Tx]. destruct (below fy k E Ry) as [Ly Ty].
  destruct (sum_low fx fy one k ltac:(lia) Lx Ly) as [R V].
  pose proof (add_value h _ _ (carry fx fy one k) ltac:(lia) Tx Ty) as A.
  assert (T : sum fx fy one (Z.of_nat k)
    = fst (tables_add h (fx (Z.of_nat k)) (fy (Z.of_nat k)) (carry fx fy one k))).
  { unfold sum. rewrite Nat2Z.id, (size_top k E). reflexivity. }
  destruct (tables_add h (fx (Z.of_nat k)) (fy (Z.of_nat k)) (carry fx fy one k)) as [s out].
  cbn [fst] in T. destruct A as [Rs As].
  rewrite (whole_top k E) in H. rewrite E in Vx, Vy. cbn [low] in Vx, Vy.
  pose proof (low_range c (sum fx fy one) k ltac:(lia) R) as B.
  assert (P : 0 < 2 ^ (c * Z.of_nat k)) by (apply power; nia).
  assert (Ph : 0 < 2 ^ h) by (apply power; lia).
  remember (2 ^ (c * Z.of_nat k)) as Q eqn:EQ.
  assert (W : low c (sum fx fy one) k + Q * s + Q * 2 ^ h * Z.b2z out = x + y + Z.b2z one) by nia.
  assert (Z.b2z out = 0) as Zero by (destruct out; cbn [Z.b2z] in *; nia).
  split.
  - intros w Hw. destruct (Z.eq_dec w (Z.of_nat k)) as [-> |].
    + rewrite (size_top k E), T. assumption.
    + rewrite size_low by (unfold number in *; lia). apply R. unfold number in *. lia.
  - rewrite E. cbn [low]. rewrite T, <- EQ, Zero in *. lia.
Qed.

(* ---- a sum without its lowest digit ---------------------------------------------------------- *)

Definition before (s : Z -> Z) (w : Z) : Z :=
  tables_shifted (size w) (s w) (s (w + 1)) (w =? number - 1).

Lemma shifted_value n word above last : 2 <= n -> 0 <= word < 2 ^ n ->
  tables_shifted n word above last
  = word / 4 + 2 ^ (n - 2) * (if last then 0 else above mod 4).
Proof.
  intros Hn Hw. unfold tables_shifted. cbv zeta.
  assert (E : 2 ^ (n - 1) = 2 * 2 ^ (n - 2)) by (rewrite <- Z.pow_succ_r by lia; f_equal; lia).
  rewrite E. pose proof (digit_bits above) as D. set (P := 2 ^ (n - 2)) in *. clearbody P.
  replace (word / 4) with (word / 2 / 2) by (rewrite Z.div_div by lia; reflexivity).
  set (u := word / 2). clearbody u.
  destruct last; cbn [negb]; rewrite ?andb_false_r, ?andb_true_r, ?andb_true_l, ?andb_false_l;
    cbn [Z.b2z].
  - rewrite !Z.mul_0_r, !Z.add_0_r. reflexivity.
  - rewrite <- D.
    replace (u + 2 * P * Z.b2z (Z.testbit above 0))
      with (u + P * Z.b2z (Z.testbit above 0) * 2) by ring.
    rewrite Z.div_add by lia. ring.
Qed.

Lemma before_low s (k : nat) : (k < words)%nat ->
  (forall w, 0 <= w < number -> 0 <= s w < 2 ^ size w) ->
  4 * low c (before s) k + s 0 mod 4
  = low c s k + 2 ^ (c * Z.of_nat k) * (s (Z.of_nat k) mod 4).
Proof.
  intros Hk R. induction k as [| k IH].
  - cbn [low]. change (Z.of_nat 0) with 0. rewrite !Z.mul_0_r. change (2 ^ 0) with 1. lia.
  - specialize (IH ltac:(lia)). cbn [low]. rewrite next_power by lia.
    pose proof (R (Z.of_nat k) ltac:(unfold number; lia)) as Rk.
    unfold before at 2. rewrite shifted_value by (apply size_two || assumption).
    rewrite (size_low (Z.of_nat k)) by (unfold number; lia).
    replace (Z.of_nat k =? number - 1) with false
      by (symmetry; apply Z.eqb_neq; unfold number; lia).
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
  intros [R V]. destruct top as [k Ew].
  pose proof (before_low s k ltac:(lia) R) as B.
  assert (T : before s (Z.of_nat k) = s (Z.of_nat k) / 4).
  { unfold before. rewrite shifted_value by (apply size_two || (apply R; unfold number; lia)).
    replace (Z.of_nat k =? number - 1) with true by (symmetry; apply Z.eqb_eq; unfold number; lia).
    lia. }
  assert (L : 4 * low c (before s) (S k) + s 0 mod 4 = low c s (S k)).
  { cbn [low]. rewrite T. pose proof (Z.div_mod (s (Z.of_nat k)) 4 ltac:(lia)). nia. }
  rewrite <- Ew, V in L. pose proof (Z.mod_pos_bound (s 0) 4 ltac:(lia)).
  split; [split |].
  - intros w Hw. unfold before. pose proof (size_two w) as S2.
    assert (E : 2 ^ size w = 4 * 2 ^ (size w - 2)).
    { change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia. f_equal. lia. }
    assert (P : 0 < 2 ^ (size w - 2)) by (apply power; lia).
    specialize (R w Hw). rewrite shifted_value by assumption.
    pose proof (Z.mod_pos_bound (s (w + 1)) 4 ltac:(lia)).
    assert (0 <= s w / 4 < 2 ^ (size w - 2)).
    { split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]. }
    destruct (w =? number - 1); nia.
  - apply Z.div_unique with (s 0 mod 4); lia.
  - apply Z.mod_unique with (low c (before s) words); lia.
Qed.

(* ---- passes ---------------------------------------------------------------------------------- *)

Definition build_pass (b : Z -> Z) (now : state) (count : Z) : state :=
  let '(t, s) := now in
  let '(row, column, divides, to_row, to_column) := tables_build_plan c count in
  let made := sum (if divides then before s else b) (t row column) divides in
  (put t to_row to_column made, made).

(* Iteration k, of which the first one adds to zero; d are the digits of the multiplier. *)
Fixpoint iterations (t : table) (d : nat -> Z) (k : nat) : Z -> Z :=
  match k with
  | O => sum (fun _ => 0) (t (d 0%nat) 0) false
  | S k =>
    let s := iterations t d k in
    sum (before s) (t (d (S k)) (s 0 mod 4)) false
  end.

(* ---- what they give -------------------------------------------------------------------------- *)

Lemma zero_low (k : nat) : low c (fun _ => 0) k = 0.
Proof. induction k as [| k IH]; cbn [low]; lia. Qed.

Lemma zero_spells : spell (fun _ => 0) 0.
Proof.
  split; [| apply zero_low].
  intros w _. pose proof (size_two w). pose proof (power (size w) ltac:(lia)). lia.
Qed.

Lemma zeros f : (forall w, 0 <= w < number -> f w = 0) -> spell f 0.
Proof.
  intros H. split.
  - intros w Hw. rewrite H by assumption. pose proof (size_two w).
    pose proof (power (size w) ltac:(lia)). lia.
  - unfold number in H. clear - H. induction words as [| k IH]; [reflexivity |]. cbn [low].
    rewrite IH by (intros; apply H; lia). rewrite H by lia. lia.
Qed.

(* Entries with b. *)
Lemma plan_builds k : 0 <= k < 12 ->
  tables_build_plan c k = (k / 4, k mod 4, false, k / 4 + 1, k mod 4).
Proof.
  intros Hk.
  assert (k = 0 \/ k = 1 \/ k = 2 \/ k = 3 \/ k = 4 \/ k = 5 \/ k = 6 \/ k = 7 \/ k = 8 \/ k = 9
    \/ k = 10 \/ k = 11) as H by lia.
  repeat (destruct H as [-> | H]; [reflexivity |]). subst k. reflexivity.
Qed.

Lemma table_made fb b e q t s (k : nat) : spell fb b -> (k <= 12)%nat -> 0 <= q < 4 ->
  3 * b + e < whole -> 0 <= b -> spell (t 0 q) e ->
  forall r, 0 <= r -> 4 * r + q < Z.of_nat k + 4 ->
  spell (fst (passes (build_pass fb) (t, s) k) r q) (r * b + e).
Proof.
  intros Hb Hk Hq Wide Pb H0. induction k as [| k IH]; intros r Hr Hi.
  - assert (r = 0) as -> by lia. cbn [passes fst]. rewrite Z.mul_0_l. apply H0.
  - specialize (IH ltac:(lia)). cbn [passes].
    destruct (passes (build_pass fb) (t, s) k) as [t' s'] eqn:E. cbn [fst] in IH.
    unfold build_pass. rewrite plan_builds by lia. cbn [fst].
    set (z := Z.of_nat k) in *.
    pose proof (Z.div_mod z 4 ltac:(lia)) as D. pose proof (Z.mod_pos_bound z 4 ltac:(lia)) as M.
    assert (0 <= z / 4) by (apply Z.div_pos; lia).
    destruct (Z.eq_dec (4 * r + q) (z + 4)) as [Here | Else].
    + assert (q = z mod 4) as Eq by lia. assert (r = z / 4 + 1) as -> by lia. rewrite Eq at 1.
      rewrite put_there. replace ((z / 4 + 1) * b + e)
        with (b + (z / 4 * b + e) + Z.b2z false) by (cbn [Z.b2z]; ring).
      rewrite <- Eq. apply sum_spells; [assumption | apply IH; lia |].
      cbn [Z.b2z]. assert (z / 4 <= 2) by lia. nia.
    + rewrite put_else by lia. apply IH; lia.
Qed.

(* Iterations. *)
Lemma iterations_value t d a b m (e : Z -> Z) (last k : nat) :
  (forall j, (j <= last)%nat -> d j = (a / 4 ^ Z.of_nat j) mod 4) ->
  0 <= b < 2 * m -> 16 * m <= whole -> 0 < m ->
  (forall q, 0 <= q < 4 -> entry m q (e q)) -> e 0 = 0 ->
  (forall r q, 0 <= r < 4 -> 0 <= q < 4 -> spell (t r q) (r * b + e q)) -> (k <= last)%nat ->
  exists x s, spell (iterations t d k) x /\ x <= 9 * m - 4 /\ 0 <= s < 4 ^ Z.of_nat k
    /\ 4 ^ Z.of_nat k * x = (a mod 4 ^ (Z.of_nat k + 1)) * b + s * m.
Proof.
  intros Hd Hb Wide Pm He E0 Ht. induction k as [| k IH]; intros Hk.
  - cbn [iterations]. rewrite (Hd O) by lia.
    change (4 ^ Z.of_nat 0) with 1. rewrite Z.div_1_r. change (4 ^ (Z.of_nat 0 + 1)) with 4.
    pose proof (Z.mod_pos_bound a 4 ltac:(lia)) as Ha.
    exists (0 + (a mod 4 * b + e 0) + Z.b2z false), 0. rewrite E0. cbn [Z.b2z].
    split; [| repeat split; nia].
    replace (0 + (a mod 4 * b + 0) + 0) with (0 + (a mod 4 * b + e 0) + Z.b2z false)
      by (rewrite E0; cbn [Z.b2z]; ring).
    apply sum_spells; [apply zero_spells | apply Ht; lia |]. rewrite E0. cbn [Z.b2z]. nia.
  - destruct (IH ltac:(lia)) as (x & s & Sx & Bx & Hs & V). cbn [iterations].
    destruct (before_spells _ _ Sx) as [B L]. rewrite L, (Hd (S k)) by assumption.
    pose proof (spell_range _ _ Sx) as Rx.
    set (Q := 4 ^ Z.of_nat k) in *.
    assert (PQ : 0 < Q) by (apply Z.pow_pos_nonneg; lia).
    assert (E1 : 4 ^ Z.of_nat (S k) = 4 * Q).
    { unfold Q. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity. }
    assert (E2 : 4 ^ (Z.of_nat k + 1) = 4 * Q) by (rewrite Z.pow_add_r by lia; fold Q; lia).
    assert (E3 : 4 ^ (Z.of_nat (S k) + 1) = 4 * Q * 4).
    { rewrite Z.pow_add_r by lia. rewrite E1. lia. }
    rewrite E1, E3 in *. rewrite E2 in V. rewrite (Z.rem_mul_r a (4 * Q) 4) by lia.
    set (f := (a / (4 * Q)) mod 4) in *.
    assert (Hf : 0 <= f < 4) by (apply Z.mod_pos_bound; lia).
    set (q := x mod 4) in *. assert (Hq : 0 <= q < 4) by (apply Z.mod_pos_bound; lia).
    pose proof (Z.div_mod x 4 ltac:(lia)) as D. fold q in D.
    destruct (He q Hq) as (j & Hj & Ej).
    assert (V1 : 4 * (x / 4 + (f * b + e q) + Z.b2z false) = x + 4 * f * b + j * m).
    { cbn [Z.b2z]. lia. }
    set (y := x / 4 + (f * b + e q) + Z.b2z false) in *.
    assert (By : y <= 9 * m - 4) by nia.
    exists y, (s + Q * j). split; [| repeat split; try nia].
    apply sum_spells; [assumption | apply Ht; lia |]. fold y. lia.
Qed.

(* Whatever rows of other multiplications stand above the entries of the modulus. *)
Lemma product w fb a b m d t s : 0 < w -> w + 4 <= c * (number - 1) + h -> spell fb b ->
  0 < m < 2 ^ w -> Z.odd m = true -> 0 <= a < 2 * m -> 0 <= b < 2 * m ->
  (forall q, 0 <= q < 4 -> exists e, spell (t 0 q) e /\ entry m q e) ->
  let digits := (w + 3) / 2 in
  (forall j, (j <= Z.to_nat digits)%nat -> d j = (a / 4 ^ Z.of_nat j) mod 4) ->
  let built := fst (passes (build_pass fb) (t, s) 12) in
  let p := low c (iterations built d (Z.to_nat digits)) words in
  0 <= p < 2 * m /\ (4 ^ digits * p) mod m = (a * b) mod m.
Proof.
  intros Hw Wide Hb Rm Om Ra Rb Made digits Hd built p.
  assert (D : w + 2 <= 2 * digits <= w + 3 /\ 0 <= digits).
  { unfold digits. Z.div_mod_to_equations; lia. }
  clearbody digits.
  assert (P4 : 2 ^ (w + 2) = 4 * 2 ^ w) by (rewrite Z.pow_add_r by lia; lia).
  assert (W : 16 * m <= whole).
  { assert (2 ^ (w + 4) <= whole) by (apply Z.pow_le_mono_r; lia).
    rewrite Z.pow_add_r in * by lia. lia. }
  assert (R : 4 * 2 ^ w <= 4 ^ digits).
  { rewrite <- P4. change 4 with (2 ^ 2). rewrite <- Z.pow_mul_r by lia.
    apply Z.pow_le_mono_r; lia. }
  set (e := fun q => low c (t 0 q) words).
  assert (E : forall q, 0 <= q < 4 -> spell (t 0 q) (e q) /\ entry m q (e q)).
  { intros q Hq. destruct (Made q Hq) as (x & S & X).
    assert (e q = x) as -> by apply S. split; assumption. }
  assert (E0 : e 0 = 0).
  { destruct (E 0 ltac:(lia)) as (_ & j & Hj & X).
    assert (Om' : Z.odd (j * m) = Z.odd j) by (rewrite Z.odd_mul, Om, andb_true_r; reflexivity).
    assert (O : j * m = 2 * (2 * e 0)) by lia. rewrite O, Z.odd_mul in Om'.
    change (Z.odd 2) with false in Om'. cbn [andb] in Om'.
    assert (j = 0 \/ j = 1 \/ j = 2 \/ j = 3) as [-> | [-> | [-> | ->]]] by lia;
      try discriminate Om'; [lia |].
    assert (m = 2 * e 0) by lia. rewrite H, Z.odd_mul in Om. discriminate Om. }
  assert (Most : forall q, 0 <= q < 4 -> 3 * b + e q < whole).
  { intros q Hq. destruct (E q Hq) as (_ & j & Hj & X). nia. }
  assert (T : forall r q, 0 <= r < 4 -> 0 <= q < 4 -> spell (built r q) (r * b + e q)).
  { intros r q Hr Hq. unfold built.
    apply table_made; try assumption; try apply Most; try apply E; lia. }
  destruct (iterations_value built d a b m e (Z.to_nat digits) (Z.to_nat digits) Hd Rb W
    ltac:(lia) (fun q Hq => proj2 (E q Hq)) E0 T ltac:(lia)) as (x & s' & Sx & Bx & Hs & V).
  assert (p = x) as -> by apply Sx. rewrite Z2Nat.id in * by lia.
  pose proof (spell_range _ _ Sx) as Rx.
  assert (Q : 4 ^ (digits + 1) = 4 ^ digits * 4) by (rewrite Z.pow_add_r by lia; reflexivity).
  rewrite (Z.mod_small a) in V by lia.
  split.
  - split; [lia |]. assert (a * b < 4 * m * m) by nia. nia.
  - rewrite V. apply Z.mod_add. lia.
Qed.

End Machine.

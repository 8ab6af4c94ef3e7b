(* SPDX-License-Identifier: Apache-2.0 *)
(* Barrett's multiplication with digits of one bit, for every width n: the steps that redcore's
   solver compares with the RTL (barrett_shift and others of redc_steps, which `redcore verify`
   writes from the same functions) give a b mod m, whatever the registers begin with that no
   multiplication clears. Partner: src/redcore/verify/width/barrett.py. *)
From Coq Require Import ZArith Lia.
Require Import redc_steps.
Open Scope bool_scope.
Open Scope Z_scope.

Definition digit (x : Z) := Z.b2z (Z.odd x).

Lemma halves x : x = 2 * (x / 2) + digit x.
Proof. unfold digit. rewrite <- Z.div2_div. rewrite (Z.div2_odd x) at 1. reflexivity. Qed.

Lemma digits x : digit x = 0 \/ digit x = 1.
Proof. unfold digit. destruct (Z.odd x); auto. Qed.

Lemma digit_even x y : digit (2 * x + y) = digit y.
Proof. unfold digit. rewrite Z.add_comm, Z.odd_add_mul_2. reflexivity. Qed.

Lemma half_even x y : (2 * x + y) / 2 = x + y / 2.
Proof. rewrite Z.mul_comm, Z.div_add_l by lia. reflexivity. Qed.

Lemma power_next i : 0 <= i -> 2 ^ (i + 1) = 2 * 2 ^ i.
Proof. intros. rewrite Z.pow_add_r by lia. lia. Qed.

Lemma power_pos i : 0 <= i -> 1 <= 2 ^ i.
Proof. intros. pose proof (Z.pow_pos_nonneg 2 i). lia. Qed.

Lemma power_large n : 4 <= n -> 2 * n < 2 ^ n.
Proof.
  intros H. replace n with (n - 2 + 2) at 2 by lia. rewrite Z.pow_add_r by lia.
  assert (n - 2 < 2 ^ (n - 2)) by (apply Z.pow_gt_lin_r; lia). lia.
Qed.

(* A row of the product: a bit of a, with b, to what is there; a bit leaves. *)
Lemma row part a b : 0 <= part <= b -> 0 <= a ->
  let sum := part + digit a * b in
  0 <= a / 2 /\ 0 <= sum / 2 <= b /\ part + b * a = digit sum + 2 * (sum / 2 + b * (a / 2))
  /\ (part + b * a = 0 -> digit sum = 0).
Proof.
  intros Hp Ha sum. pose proof (halves a) as Aa. pose proof (halves sum) as As.
  assert (Ha2 : 0 <= a / 2) by (apply Z.div_pos; lia).
  assert (E : part + b * a = sum + 2 * (b * (a / 2))) by (rewrite Aa at 1; unfold sum; ring).
  assert (Hs : 0 <= sum <= 2 * b) by (unfold sum; destruct (digits a) as [-> | ->]; lia).
  assert (0 <= b * (a / 2)) by (apply Z.mul_nonneg_nonneg; lia).
  clearbody sum. destruct (digits sum) as [D | D]; rewrite D in *; repeat split; lia.
Qed.

Ltac powers n :=
  replace (2 ^ (n + 3)) with (8 * 2 ^ n) in * by (rewrite Z.pow_add_r by lia; lia);
  replace (2 ^ (n + 2)) with (4 * 2 ^ n) in * by (rewrite Z.pow_add_r by lia; lia);
  replace (2 ^ (n + 1)) with (2 * 2 ^ n) in * by (rewrite Z.pow_add_r by lia; lia).

(* ---- constants of a modulus -------------------------------------------------------------------- *)

Fixpoint shifts (k : nat) (n : Z) (state : Z * Z) : Z * Z :=
  match k with
  | O => state
  | S k => shifts k n (let '(m, window) := state in barrett_shift n m window)
  end.

Lemma shifts_value n : 0 < n -> forall (k : nat) m w, 0 < m < 2 ^ n -> Z.of_nat k < w < 2 ^ n ->
  exists s, 0 <= s <= Z.of_nat k /\ shifts k n (m, w) = (m * 2 ^ s, w - s) /\ m * 2 ^ s < 2 ^ n
    /\ (2 ^ (n - 1) <= m * 2 ^ s \/ s = Z.of_nat k).
Proof.
  intros Hn k. induction k as [| k IH]; intros m w Hm Hw.
  - exists 0. change (2 ^ 0) with 1. cbn [shifts]. rewrite Z.mul_1_r, Z.sub_0_r.
    repeat split; try lia.
  - rewrite Nat2Z.inj_succ in *. cbn [shifts]. unfold barrett_shift. cbv zeta.
    assert (E : 2 ^ n = 2 * 2 ^ (n - 1)) by (rewrite <- power_next by lia; f_equal; lia).
    destruct (Z.leb_spec (2 ^ (n - 1)) m).
    + destruct (IH m w) as (s & Hs & R & Hl & Hh); [lia | lia |].
      exists s. rewrite R. repeat split; try lia. left.
      pose proof (power_pos s ltac:(lia)). nia.
    + rewrite (Z.mod_small (2 * m)), (Z.mod_small (w - 1)) by lia.
      destruct (IH (2 * m) (w - 1)) as (s & Hs & R & Hl & Hh); [lia | lia |].
      exists (s + 1). rewrite R, power_next by lia.
      replace (m * (2 * 2 ^ s)) with (2 * m * 2 ^ s) by ring.
      repeat split; try lia. f_equal. lia.
Qed.

Fixpoint divides (k : nat) (n m : Z) (state : Z * Z) : Z * Z :=
  match k with
  | O => state
  | S k => divides k n m (let '(rest, mu) := state in barrett_divide n m rest mu)
  end.

Lemma divide_value n m rest mu : 0 < n -> 0 < m < 2 ^ n -> 0 <= rest < 2 * m ->
  exists bit, 0 <= bit <= 1 /\ 0 <= rest - bit * m < m
    /\ barrett_divide n m rest mu = (2 * (rest - bit * m), (2 * mu + bit) mod 2 ^ (n + 2)).
Proof.
  intros Hn Hm Hr. unfold barrett_divide. cbv zeta. powers n. set (P := 2 ^ n) in *.
  rewrite Zplus_mod_idemp_l.
  destruct (Z.lt_ge_cases rest m).
  - exists 0. replace ((rest - m) mod (4 * P)) with (rest - m + 4 * P)
      by (apply Z.mod_unique with (-1); lia).
    replace (2 * P <=? rest - m + 4 * P) with true by (symmetry; apply Z.leb_le; lia).
    cbn [negb Z.b2z]. rewrite (Z.mod_small (2 * rest)) by lia.
    repeat split; try lia. f_equal. lia.
  - exists 1. rewrite (Z.mod_small (rest - m)) by lia.
    replace (2 * P <=? rest - m) with false by (symmetry; apply Z.leb_gt; lia).
    cbn [negb Z.b2z]. rewrite (Z.mod_small (rest - m)), (Z.mod_small (2 * (rest - m))) by lia.
    repeat split; try lia. f_equal. lia.
Qed.

Lemma divides_value n m : 0 < n -> 0 < m < 2 ^ n -> forall (k : nat) rest mu,
  0 <= rest < 2 * m -> 0 <= mu < 2 ^ (n + 2) ->
  exists q rest', 0 <= q /\ 0 <= rest' < 2 * m /\ 2 ^ Z.of_nat k * rest = 2 * m * q + rest'
    /\ divides k n m (rest, mu) = (rest', (2 ^ Z.of_nat k * mu + q) mod 2 ^ (n + 2)).
Proof.
  intros Hn Hm k. induction k as [| k IH]; intros rest mu Hr Hmu.
  - exists 0, rest. change (2 ^ Z.of_nat 0) with 1. cbn [divides].
    replace (1 * mu + 0) with mu by ring. rewrite Z.mod_small by lia. repeat split; lia.
  - destruct (divide_value n m rest mu Hn Hm Hr) as (bit & Hb & Hs & E).
    cbn [divides]. rewrite E. assert (0 < 2 ^ (n + 2)) by (apply Z.pow_pos_nonneg; lia).
    destruct (IH (2 * (rest - bit * m)) ((2 * mu + bit) mod 2 ^ (n + 2)))
      as (q & rest' & Hq & Hr' & V & E'); [lia | apply Z.mod_pos_bound; lia |].
    rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. set (K := 2 ^ Z.of_nat k) in *.
    assert (1 <= K) by (apply power_pos; lia).
    exists (K * bit + q), rest'. repeat split; try lia; try nia.
    rewrite E'. f_equal. rewrite <- Zplus_mod_idemp_l, Zmult_mod_idemp_r, Zplus_mod_idemp_l.
    f_equal. ring.
Qed.

(* k: bits of m. *)
Lemma constants n m mu0 : 4 <= n -> 0 < m < 2 ^ n -> 0 <= mu0 < 2 ^ (n + 2) ->
  exists k mu top rest, 1 <= k <= n /\ 2 ^ (k - 1) <= m < 2 ^ k /\ 0 <= mu < 2 ^ (n + 2)
    /\ mu * m <= 2 ^ (n + k) < (mu + 1) * m
    /\ shifts (Z.to_nat (n - 1)) n (m, 2 * n) = (top, n + k)
    /\ divides (Z.to_nat (n + 2)) n top (2 ^ (n - 1), mu0) = (rest, mu).
Proof.
  intros Hn Hm Hmu. pose proof (power_large n Hn).
  destruct (shifts_value n ltac:(lia) (Z.to_nat (n - 1)) m (2 * n)) as (s & Hs & E & Hl & Hh);
    [lia | rewrite Z2Nat.id by lia; lia |].
  rewrite Z2Nat.id in * by lia. pose proof (power_pos s ltac:(lia)).
  assert (E1 : 2 ^ n = 2 * 2 ^ (n - 1)) by (rewrite <- power_next by lia; f_equal; lia).
  assert (Hh' : 2 ^ (n - 1) <= m * 2 ^ s) by (destruct Hh as [? | ->]; nia).
  destruct (divides_value n (m * 2 ^ s) ltac:(lia) ltac:(nia) (Z.to_nat (n + 2)) (2 ^ (n - 1)) mu0)
    as (q & rest & Hq & Hr & V & E'); [pose proof (power_pos (n - 1)); lia | lia |].
  rewrite Z2Nat.id in * by lia.
  assert (Es : 2 ^ n = 2 ^ (n - s) * 2 ^ s) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (Es1 : 2 ^ (n - 1) = 2 ^ (n - s - 1) * 2 ^ s)
    by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (Ek : 2 ^ (n + 2) * 2 ^ (n - 1) = 2 * 2 ^ s * 2 ^ (n + (n - s))).
  { rewrite <- power_next, <- !Z.pow_add_r by lia. f_equal. lia. }
  assert (E2 : 2 ^ (n - s) = 2 * 2 ^ (n - s - 1))
    by (rewrite <- power_next by lia; f_equal; lia).
  assert (Hlow : 2 ^ (n - s - 1) <= m)
    by (apply Z.mul_le_mono_pos_r with (2 ^ s); lia).
  assert (Hhigh : m < 2 ^ (n - s)) by (apply Z.mul_lt_mono_pos_r with (2 ^ s); lia).
  set (top := 2 ^ (n + (n - s))) in *.
  assert (D : 2 * 2 ^ s * (top - q * m) = rest).
  { replace (2 * 2 ^ s * (top - q * m)) with (2 * 2 ^ s * top - 2 * (m * 2 ^ s) * q) by ring. lia. }
  assert (Hk1 : 0 <= top - q * m) by (apply Z.mul_nonneg_cancel_l with (2 * 2 ^ s); lia).
  assert (Hk2 : top - q * m < m) by (apply Z.mul_lt_mono_pos_l with (2 * 2 ^ s); lia).
  assert (Hw : top <= m * (2 * 2 ^ n)).
  { unfold top. rewrite Z.pow_add_r, E2 by lia.
    replace (2 ^ n * (2 * 2 ^ (n - s - 1))) with (2 ^ (n - s - 1) * (2 * 2 ^ n)) by ring.
    apply Z.mul_le_mono_nonneg_r; [pose proof (power_pos n); lia | assumption]. }
  assert (Hq' : q < 2 ^ (n + 2)).
  { powers n. pose proof (power_pos n ltac:(lia)).
    assert (m * q < m * (4 * 2 ^ n)) by lia. apply Z.mul_lt_mono_pos_l with m; lia. }
  exists (n - s), q, (m * 2 ^ s), rest. rewrite E, E'.
  replace (2 ^ (n + 2) * mu0 + q) with (q + mu0 * 2 ^ (n + 2)) by ring.
  rewrite Z.mod_add, (Z.mod_small q) by lia. fold top.
  repeat split; try lia. f_equal. lia.
Qed.

(* ---- product and quotient ---------------------------------------------------------------------- *)

Fixpoint multiplies (k : nat) (n : Z) (keep : bool) (b mu : Z) (state : Z * Z * Z * Z * Z) :=
  match k with
  | O => state
  | S k =>
      multiplies k n keep b mu
        (let '(a, part, q, ahead, kept) := state in barrett_multiply n keep a part q ahead kept b mu)
  end.

Lemma multiply_value n keep a part q ahead kept b mu :
  4 <= n -> 0 <= b < 2 ^ n -> 0 <= part <= b -> 0 <= mu < 2 ^ (n + 2) -> 0 <= q <= mu ->
  0 <= ahead < 2 ^ n ->
  let sum := part + digit a * b in
  barrett_multiply n keep a part q ahead kept b mu
  = (a / 2, sum / 2,
     if (1 <=? ahead) && (ahead <=? n + 1) then (q + digit sum * mu) / 2 else q,
     Z.max 0 (ahead - 1),
     if keep then kept / 2 + 2 ^ (n + 1) * digit sum else kept).
Proof.
  intros Hn Hb Hp Hm Hq Hl sum. unfold barrett_multiply. cbv zeta.
  replace (if Z.odd a then b else 0) with (digit a * b)
    by (unfold digit; destruct (Z.odd a); cbn [Z.b2z]; lia).
  fold sum. assert (Hs : 0 <= sum <= 2 * b) by (unfold sum; destruct (digits a) as [-> | ->]; lia).
  powers n. rewrite (Z.mod_small sum) by lia. fold (digit sum).
  replace (if Z.odd sum then mu else 0) with (digit sum * mu)
    by (unfold digit; destruct (Z.odd sum); cbn [Z.b2z]; lia).
  assert (He : 0 <= digit sum * mu <= mu) by (destruct (digits sum) as [-> | ->]; lia).
  rewrite (Z.mod_small (q + digit sum * mu)) by lia.
  rewrite (Z.mod_small (sum / 2))
    by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
  rewrite (Z.mod_small ((q + digit sum * mu) / 2))
    by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
  replace (negb (ahead =? 0) && negb (n + 1 <? ahead))
    with ((1 <=? ahead) && (ahead <=? n + 1))
    by (destruct (Z.leb_spec 1 ahead), (Z.leb_spec ahead (n + 1)), (Z.eqb_spec ahead 0),
          (Z.ltb_spec (n + 1) ahead); cbn; lia || reflexivity).
  f_equal. f_equal. destruct (Z.eqb_spec ahead 0) as [-> | ?]; [reflexivity |].
  rewrite Z.mod_small by lia. lia.
Qed.

(* After i steps: low are the i bits of x = a b that have left, tail those below the window, seen
   those that have multiplied mu, with lost below what is left of that product. *)
Definition product n k b mu x i (state : Z * Z * Z * Z * Z) : Prop :=
  let '(a, part, q, ahead, kept) := state in
  exists low tail seen lost old j,
    0 <= a /\ 0 <= part <= b /\ ahead = Z.max 0 (n + k - i)
    /\ j = Z.max 0 (Z.min (i - (k - 1)) (n + 1))
    /\ 0 <= low < 2 ^ i /\ x = low + 2 ^ i * (part + b * a)
    /\ low = tail + 2 ^ (k - 1) * seen /\ 0 <= tail < 2 ^ (k - 1) /\ 0 <= seen
    /\ (i <= k - 1 -> seen = 0)
    /\ 2 ^ j * q + lost = seen * mu /\ 0 <= lost < 2 ^ j /\ 0 <= q <= mu
    /\ (i <= n + 2 -> kept = low * 2 ^ (n + 2 - i) + old /\ 0 <= old < 2 ^ (n + 2 - i))
    /\ (n + 2 <= i -> kept = low mod 2 ^ (n + 2)).

Lemma product_step n k b mu x i a part q ahead kept keep :
  4 <= n -> 1 <= k <= n -> 0 <= b < 2 ^ n -> 0 <= mu < 2 ^ (n + 2) -> x < 2 ^ (n + k) -> 0 <= i ->
  keep = (i <? n + 2) ->
  product n k b mu x i (a, part, q, ahead, kept) ->
  product n k b mu x (i + 1) (barrett_multiply n keep a part q ahead kept b mu).
Proof.
  intros Hn Hk Hb Hm Hx Hi Hkeep
    (low & tail & seen & lost & old & j & Ha & Hp & Hleft & Hj & Hl & Ex & El & Ht & Hs & H0 & Eq
     & Hf & Hq & K1 & K2).
  rewrite multiply_value by (clear H0 K1 K2; pose proof (power_large n Hn); lia). cbv zeta.
  destruct (row part a b Hp Ha) as (Ha2 & Hs2 & Row & Zero).
  set (sum := part + digit a * b) in *. pose proof (digits sum) as De.
  set (e := digit sum) in *. set (half := sum / 2) in *. clearbody half e. clear sum.
  assert (Pi : 1 <= 2 ^ i) by (apply power_pos; lia).
  assert (E1 : 2 ^ (i + 1) = 2 * 2 ^ i) by (apply power_next; lia).
  assert (Hl' : 0 <= low + 2 ^ i * e < 2 ^ (i + 1))
    by (clear - Pi E1 Hl De; destruct De as [-> | ->]; lia).
  assert (Ex' : x = low + 2 ^ i * e + 2 ^ (i + 1) * (half + b * (a / 2)))
    by (rewrite Ex, Row, E1; ring).
  (* What is kept, the same in all cases. *)
  assert (K' : exists old',
    (i + 1 <= n + 2 ->
      (if keep then kept / 2 + 2 ^ (n + 1) * e else kept)
        = (low + 2 ^ i * e) * 2 ^ (n + 2 - (i + 1)) + old' /\ 0 <= old' < 2 ^ (n + 2 - (i + 1)))
    /\ (n + 2 <= i + 1 ->
      (if keep then kept / 2 + 2 ^ (n + 1) * e else kept) = (low + 2 ^ i * e) mod 2 ^ (n + 2))).
  { exists (old / 2). rewrite Hkeep. destruct (Z.ltb_spec i (n + 2)) as [Hc | Hc].
    - destruct (K1 ltac:(clear - Hc; lia)) as [-> Ho]. clear - Hn Hi Hc Ho Hl' E1.
      assert (E2 : 2 ^ (n + 2 - i) = 2 * 2 ^ (n + 2 - (i + 1)))
        by (rewrite <- power_next by lia; f_equal; lia).
      assert (E3 : 2 ^ (n + 1) = 2 ^ i * 2 ^ (n + 2 - (i + 1)))
        by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
      pose proof (halves old). pose proof (digits old).
      assert (V : (low * 2 ^ (n + 2 - i) + old) / 2 + 2 ^ (n + 1) * e
                  = (low + 2 ^ i * e) * 2 ^ (n + 2 - (i + 1)) + old / 2).
      { rewrite E2. replace (low * (2 * 2 ^ (n + 2 - (i + 1))) + old)
          with (2 * (low * 2 ^ (n + 2 - (i + 1))) + old) by ring.
        rewrite half_even, E3. ring. }
      rewrite V. split; intros; [split; [reflexivity | lia] |].
      assert (i = n + 1) by (clear - Hc H1; lia). subst i.
      replace (n + 2 - (n + 1 + 1)) with 0 in * by ring.
      replace (n + 2 - (n + 1)) with 1 in * by ring.
      change (2 ^ 0) with 1 in *. change (2 ^ 1) with 2 in *.
      replace (n + 1 + 1) with (n + 2) in * by ring.
      rewrite Z.mod_small by assumption. clear - Ho. pose proof (halves old).
      pose proof (digits old). lia.
    - rewrite (K2 Hc). clear - Hn Hc. split; [intros; exfalso; lia |]. intros _.
      replace (low + 2 ^ i * e) with (low + (2 ^ (i - (n + 2)) * e) * 2 ^ (n + 2)).
      + symmetry. apply Z.mod_add. pose proof (power_pos (n + 2)). lia.
      + replace (2 ^ i) with (2 ^ (i - (n + 2)) * 2 ^ (n + 2))
          by (rewrite <- Z.pow_add_r by lia; f_equal; lia). ring. }
  destruct K' as (old' & K1' & K2').
  pose proof Ex as Exx. clear K1 K2 Hkeep Ex Row Hm Hb.
  unfold product. destruct (Z.lt_ge_cases i (k - 1)) as [C | C].
  - (* below the window *)
    replace ((1 <=? ahead) && (ahead <=? n + 1)) with false
      by (clear - Hleft C Hn Hk; destruct (Z.leb_spec 1 ahead), (Z.leb_spec ahead (n + 1));
          cbn; lia || reflexivity).
    assert (Hz : seen = 0) by (apply H0; clear - C; lia). subst seen.
    assert (Ec : 2 ^ (k - 1) = 2 ^ (i + 1) * 2 ^ (k - 1 - (i + 1)))
      by (clear - C Hi; rewrite <- Z.pow_add_r by lia; f_equal; lia).
    pose proof (power_pos (k - 1 - (i + 1)) ltac:(clear - C; lia)) as Pc.
    assert (Hj0 : j = 0) by (clear - Hj C Hn; lia). rewrite Hj0 in Eq, Hf.
    exists (low + 2 ^ i * e), (low + 2 ^ i * e), 0, lost, old', 0.
    split; [assumption |]. split; [assumption |]. split; [clear - Hleft Hi; lia |].
    split; [clear - C Hn Hi Hk; lia |]. split; [assumption |]. split; [assumption |].
    split; [ring |]. split; [rewrite Ec; clear - Hl' Pc; nia |].
    split; [reflexivity || (clear; lia) |]. split; [intros; reflexivity |].
    split; [assumption |]. split; [assumption |]. split; [assumption |]. split; assumption.
  - clear H0.
    destruct (Z.lt_ge_cases i (n + k)) as [D | D].
    + (* within *)
      replace ((1 <=? ahead) && (ahead <=? n + 1)) with true
        by (clear - Hleft C D; destruct (Z.leb_spec 1 ahead), (Z.leb_spec ahead (n + 1));
            cbn; lia || reflexivity).
      assert (Hj' : j = i - (k - 1)) by (clear - Hj C D Hn Hk; lia).
      assert (Ej : 2 ^ i = 2 ^ (k - 1) * 2 ^ j)
        by (clear - Hj' C Hk; rewrite <- Z.pow_add_r by lia; f_equal; lia).
      pose proof (power_pos j ltac:(clear - Hj' C; lia)) as Pj.
      assert (Ej1 : 2 ^ (j + 1) = 2 * 2 ^ j) by (apply power_next; clear - Hj' C; lia).
      set (wide := q + e * mu). pose proof (halves wide) as Aw. pose proof (digits wide) as Dw.
      assert (Hw : 0 <= wide <= 2 * mu)
        by (unfold wide; clear - Hq De; destruct De as [-> | ->]; lia).
      exists (low + 2 ^ i * e), tail, (seen + 2 ^ j * e), (lost + 2 ^ j * digit wide), old', (j + 1).
      split; [assumption |]. split; [assumption |]. split; [clear - Hleft D; lia |].
      split; [clear - Hj' C D Hn Hk; lia |]. split; [assumption |]. split; [assumption |].
      split; [rewrite Ej, El; ring |]. split; [assumption |].
      split; [clear - Hs Pj De; destruct De as [-> | ->]; lia |].
      split; [intros Hz; exfalso; clear - C Hz; lia |].
      split.
      { rewrite Ej1. replace (2 * 2 ^ j * (wide / 2) + (lost + 2 ^ j * digit wide))
          with (2 ^ j * (2 * (wide / 2) + digit wide) + lost) by ring.
        rewrite <- Aw. unfold wide.
        replace (2 ^ j * (q + e * mu) + lost) with (2 ^ j * q + lost + 2 ^ j * (e * mu)) by ring.
        rewrite Eq. ring. }
      split; [rewrite Ej1; clear - Hf Dw Pj; destruct Dw as [-> | ->]; lia |].
      split; [clear - Hw Aw Dw; lia |]. split; assumption.
    + (* above: x has no bits there *)
      replace ((1 <=? ahead) && (ahead <=? n + 1)) with false
        by (clear - Hleft D; destruct (Z.leb_spec 1 ahead), (Z.leb_spec ahead (n + 1));
            cbn; lia || reflexivity).
      assert (Ez : e = 0).
      { apply Zero. assert (2 ^ (n + k) <= 2 ^ i) by (apply Z.pow_le_mono_r; clear - D; lia).
        assert (0 <= b * a) by (apply Z.mul_nonneg_nonneg; clear - Hp Ha; lia).
        clear - H H0 Pi Hx Hl Hp Exx. nia. }
      subst e. exists (low + 2 ^ i * 0), tail, seen, lost, old', j.
      split; [assumption |]. split; [assumption |]. split; [clear - Hleft D; lia |].
      split; [clear - Hj D Hk Hn; lia |]. split; [assumption |]. split; [assumption |].
      split; [rewrite El; ring |]. split; [assumption |]. split; [assumption |].
      split; [intros Hz; exfalso; clear - C Hz; lia |].
      split; [assumption |]. split; [assumption |]. split; [assumption |]. split; assumption.
Qed.

Lemma product_steps n k b mu x keep :
  4 <= n -> 1 <= k <= n -> 0 <= b < 2 ^ n -> 0 <= mu < 2 ^ (n + 2) -> x < 2 ^ (n + k) ->
  forall (steps : nat) i state, 0 <= i ->
  (forall t, i <= t < i + Z.of_nat steps -> keep = (t <? n + 2)) ->
  product n k b mu x i state ->
  product n k b mu x (i + Z.of_nat steps) (multiplies steps n keep b mu state).
Proof.
  intros Hn Hk Hb Hm Hx steps. induction steps as [| steps IH]; intros i state Hi Hkeep H.
  - rewrite Z.add_0_r. assumption.
  - rewrite Nat2Z.inj_succ in *. cbn [multiplies].
    replace (i + Z.succ (Z.of_nat steps)) with (i + 1 + Z.of_nat steps) by lia.
    apply IH; [lia | intros; apply Hkeep; lia |].
    destruct state as [[[[a part] q] ahead] kept].
    apply product_step; try assumption. apply Hkeep. lia.
Qed.

(* At most 2 too small. *)
Lemma quotient_value n k m mu x tail seen lost q :
  1 <= k <= n -> 2 ^ (k - 1) <= m < 2 ^ k -> mu * m <= 2 ^ (n + k) < (mu + 1) * m ->
  0 <= mu -> 0 <= x < m * m -> x = tail + 2 ^ (k - 1) * seen -> 0 <= tail < 2 ^ (k - 1) ->
  0 <= seen -> 2 ^ (n + 1) * q + lost = seen * mu -> 0 <= lost < 2 ^ (n + 1) -> 0 <= q ->
  0 <= x - q * m < 3 * m.
Proof.
  intros Hk Hm Hmu Hmu0 Hx Ex Ht Hs Eq Hl Hq.
  set (T := 2 ^ (k - 1)) in *. set (S := 2 ^ (n + 1)) in *.
  assert (E : 2 ^ (n + k) = T * S) by (unfold T, S; rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (Ek : 2 ^ k = 2 * T) by (unfold T; rewrite <- power_next by lia; f_equal; lia).
  assert (HT : 1 <= T) by (apply power_pos; lia). assert (HS : 1 <= S) by (apply power_pos; lia).
  assert (HTS : 4 * T <= S).
  { unfold T, S. change 4 with (2 ^ 2). rewrite <- Z.pow_add_r by lia.
    apply Z.pow_le_mono_r; lia. }
  rewrite E in Hmu. rewrite Ek in Hm.
  assert (A1 : S * q <= seen * mu) by lia. assert (A2 : seen * mu < S * (q + 1)) by lia.
  assert (A3 : T * seen <= x) by lia. assert (A4 : x < T * (seen + 1)) by lia.
  assert (HTSp : 0 < T * S) by (apply Z.mul_pos_pos; lia).
  clear Eq Hl Ex Ht E Ek lost tail.
  split.
  - assert (B1 : (S * q) * (T * m) <= (seen * mu) * (T * m)).
    { apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg; lia | assumption]. }
    assert (B2 : (T * seen) * (mu * m) <= x * (T * S)).
    { apply Z.mul_le_mono_nonneg; [apply Z.mul_nonneg_nonneg; lia | assumption
        | apply Z.mul_nonneg_nonneg; lia | apply Hmu]. }
    assert (q * m <= x); [| lia]. apply Z.mul_le_mono_pos_l with (T * S); [assumption |].
    clear - B1 B2. lia.
  - assert (Hm2 : m * m < (2 * T) * (2 * T)) by (apply Z.mul_lt_mono_nonneg; lia).
    assert (Hseen : seen <= S).
    { assert (T * seen < T * (4 * T)) by (clear - A3 Hx Hm2; lia).
      assert (seen < 4 * T) by (apply Z.mul_lt_mono_pos_l with T; [lia | assumption]). lia. }
    assert (B1 : seen * (T * S) <= seen * ((mu + 1) * m)).
    { apply Z.mul_le_mono_nonneg_l; [assumption | lia]. }
    assert (B2 : (seen * mu) * m < (S * (q + 1)) * m).
    { apply Z.mul_lt_mono_pos_r; [lia | assumption]. }
    assert (B3 : S * x < S * (T * (seen + 1))) by (apply Z.mul_lt_mono_pos_l; [lia | assumption]).
    assert (B4 : seen * m <= S * m) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (B5 : S * T <= S * m) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (x < (q + 3) * m); [| lia]. apply Z.mul_lt_mono_pos_l with S; [lia |].
    clear - B1 B2 B3 B4 B5. lia.
Qed.

(* ---- remainder --------------------------------------------------------------------------------- *)

Fixpoint subtracts (k : nat) (n m : Z) (state : Z * Z * bool * Z) :=
  match k with
  | O => state
  | S k =>
      subtracts k n m
        (let '(part, q, borrow, kept) := state in barrett_subtract n part q borrow kept m)
  end.

(* After i steps: low are the bits of q0 m that have left, gone the kept ones that they were taken
   from, made the differences. *)
Definition difference n m q0 y i (state : Z * Z * bool * Z) : Prop :=
  let '(part, q, borrow, kept) := state in
  exists low made gone rest,
    0 <= part <= m /\ 0 <= q /\ 0 <= low < 2 ^ i /\ q0 * m = low + 2 ^ i * (part + m * q)
    /\ 0 <= made < 2 ^ i /\ 0 <= gone < 2 ^ i /\ made + low = gone + 2 ^ i * Z.b2z borrow
    /\ y = gone + 2 ^ i * rest /\ 0 <= rest < 2 ^ (n + 2 - i)
    /\ kept = made * 2 ^ (n + 2 - i) + rest.

Lemma difference_step n m q0 y i part q borrow kept :
  4 <= n -> 0 < m < 2 ^ n -> 0 <= i < n + 2 ->
  difference n m q0 y i (part, q, borrow, kept) ->
  difference n m q0 y (i + 1) (barrett_subtract n part q borrow kept m).
Proof.
  intros Hn Hm Hi
    (low & made & gone & rest & Hp & Hq & Hl & Eq & Hd & Hg & Ed & Ey & Hr & Ek).
  unfold barrett_subtract. cbv zeta.
  replace (if Z.odd q then m else 0) with (digit q * m)
    by (unfold digit; destruct (Z.odd q); cbn [Z.b2z]; lia).
  destruct (row part q m Hp Hq) as (Hq2 & Hs2 & Row & _).
  set (sum := part + digit q * m) in *. pose proof (digits sum) as De.
  assert (Hsum : 0 <= sum <= 2 * m)
    by (unfold sum; clear - Hp; destruct (digits q) as [-> | ->]; lia).
  replace (sum mod 2 ^ (n + 1)) with sum by (symmetry; apply Z.mod_small; powers n; lia).
  rewrite (Z.mod_small (sum / 2)) by lia.
  set (half := sum / 2) in *. clearbody half.
  pose proof (halves rest) as Ar. pose proof (digits rest) as Dr.
  assert (Pi : 1 <= 2 ^ i) by (apply power_pos; lia).
  assert (E1 : 2 ^ (i + 1) = 2 * 2 ^ i) by (apply power_next; lia).
  assert (E2 : 2 ^ (n + 2 - i) = 2 * 2 ^ (n + 2 - (i + 1)))
    by (rewrite <- power_next by lia; f_equal; lia).
  assert (E3 : 2 ^ (n + 1) = 2 ^ i * 2 ^ (n + 2 - (i + 1)))
    by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  assert (Ek' : kept = 2 * (made * 2 ^ (n + 2 - (i + 1))) + rest) by (rewrite Ek, E2; ring).
  assert (Ob : Z.b2z (Z.odd kept) = digit rest) by (rewrite Ek'; apply digit_even).
  assert (Hb : kept / 2 = made * 2 ^ (n + 2 - (i + 1)) + rest / 2)
    by (rewrite Ek'; apply half_even).
  unfold difference. rewrite Hb, E3.
  match goal with |- context [Z.b2z (xorb ?u ?v)] => set (d := xorb u v) end.
  match goal with |- context [orb (andb ?u ?v) ?w] => set (lent := orb (andb u v) w) end.
  (* A full subtractor. *)
  assert (F : Z.b2z d + digit sum + Z.b2z borrow = digit rest + 2 * Z.b2z lent).
  { rewrite <- Ob. unfold d, lent, digit.
    destruct (Z.odd kept), (Z.odd sum), borrow; reflexivity. }
  assert (Hdd : 0 <= Z.b2z d <= 1) by (destruct d; cbn; lia).
  exists (low + 2 ^ i * digit sum), (made + 2 ^ i * Z.b2z d), (gone + 2 ^ i * digit rest), (rest / 2).
  split; [assumption |]. split; [assumption |].
  split; [clear - Pi E1 Hl De; destruct De as [-> | ->]; lia |].
  split; [rewrite Eq, Row, E1; ring |].
  split; [clear - Pi E1 Hd Hdd; nia |].
  split; [clear - Pi E1 Hg Dr; destruct Dr as [-> | ->]; lia |].
  split.
  { replace (made + 2 ^ i * Z.b2z d + (low + 2 ^ i * digit sum))
      with (made + low + 2 ^ i * (Z.b2z d + digit sum)) by ring.
    rewrite Ed, E1.
    replace (Z.b2z d + digit sum) with (digit rest + 2 * Z.b2z lent - Z.b2z borrow) by lia. ring. }
  split; [rewrite Ey, E1; rewrite Ar at 1; ring |].
  split; [clear - Hr E2 Ar Dr; lia |]. ring.
Qed.

Lemma difference_steps n m q0 y : 4 <= n -> 0 < m < 2 ^ n ->
  forall (steps : nat) i state, 0 <= i -> i + Z.of_nat steps <= n + 2 ->
  difference n m q0 y i state ->
  difference n m q0 y (i + Z.of_nat steps) (subtracts steps n m state).
Proof.
  intros Hn Hm steps. induction steps as [| steps IH]; intros i state Hi Hs H.
  - rewrite Z.add_0_r. assumption.
  - rewrite Nat2Z.inj_succ in *. cbn [subtracts].
    replace (i + Z.succ (Z.of_nat steps)) with (i + 1 + Z.of_nat steps) by lia.
    apply IH; [lia | lia |]. destruct state as [[[part q] borrow] kept].
    apply difference_step; try assumption. lia.
Qed.

Lemma correct_value n rest m : 0 < n -> 0 <= rest < 2 ^ (n + 2) -> 0 < m < 2 ^ n ->
  barrett_correct n rest m = if rest <? m then rest else rest - m.
Proof.
  intros Hn Hr Hm. unfold barrett_correct. cbv zeta. powers n. set (P := 2 ^ n) in *.
  destruct (Z.ltb_spec rest m).
  - replace ((rest - m) mod (8 * P)) with (rest - m + 8 * P)
      by (apply Z.mod_unique with (-1); lia).
    replace (4 * P <=? rest - m + 8 * P) with true by (symmetry; apply Z.leb_le; lia). reflexivity.
  - rewrite (Z.mod_small (rest - m)) by lia.
    replace (4 * P <=? rest - m) with false by (symmetry; apply Z.leb_gt; lia).
    apply Z.mod_small. lia.
Qed.

(* What the registers do from a modulus, and operands, to an answer of n bits. mu and kept are not
   cleared. *)
Definition barrett n a b m mu kept : Z :=
  let '(top, window) := shifts (Z.to_nat (n - 1)) n (m, 2 * n) in
  let '(_, mu) := divides (Z.to_nat (n + 2)) n top (2 ^ (n - 1), mu) in
  let '(_, part, q, _, kept) :=
    multiplies (Z.to_nat (n - 2)) n false b mu
      (multiplies (Z.to_nat (n + 2)) n true b mu (a, 0, 0, window, kept)) in
  let '(_, _, _, kept) := subtracts (Z.to_nat (n + 2)) n m (part, q, false, kept) in
  barrett_correct n (barrett_correct n kept m) m mod 2 ^ n.

Theorem barrett_value n a b m mu kept :
  4 <= n -> 0 < m < 2 ^ n -> 0 <= a < m -> 0 <= b < m ->
  0 <= mu < 2 ^ (n + 2) -> 0 <= kept < 2 ^ (n + 2) ->
  barrett n a b m mu kept = (a * b) mod m.
Proof.
  intros Hn Hm Ha Hb Hmu Hkept. unfold barrett.
  destruct (constants n m mu Hn Hm Hmu)
    as (k & c & top & rest & Hk & Hmk & Hc & Hcm & E1 & E2).
  rewrite E1, E2. clear E1 E2.
  assert (Hx : 0 <= a * b < m * m) by nia.
  assert (Hxk : a * b < 2 ^ (n + k)).
  { rewrite Z.pow_add_r by lia. nia. }
  set (first := multiplies _ n true _ _ _).
  assert (H1 : product n k b c (a * b) (n + 2) first).
  { replace (n + 2) with (0 + Z.of_nat (Z.to_nat (n + 2))) at 1 by (rewrite Z2Nat.id; lia).
    apply product_steps; try lia.
    exists 0, 0, 0, 0, kept, 0. change (2 ^ 0) with 1. rewrite !Z.sub_0_r.
    pose proof (power_pos (k - 1) ltac:(lia)).
    repeat (split; [lia |]). intros; exfalso; lia. }
  set (second := multiplies _ n false _ _ _).
  assert (H2 : product n k b c (a * b) (2 * n) second).
  { replace (2 * n) with (n + 2 + Z.of_nat (Z.to_nat (n - 2))) by (rewrite Z2Nat.id; lia).
    apply product_steps; try lia. assumption. }
  clear H1. destruct second as [[[[a1 part] q] ahead] low1].
  destruct H2 as (low & tail & seen & lost & old & j & Ha1 & Hp & Hleft & Hj & Hl & Ex & El & Ht
    & Hs & _ & Eq & Hf & Hq & _ & K2).
  assert (Hj1 : j = n + 1) by (clear - Hj Hk Hn; lia). clear Hj. subst j.
  assert (2 ^ (n + k) <= 2 ^ (2 * n)) by (apply Z.pow_le_mono_r; lia).
  assert (Hba : 0 <= b * a1) by (apply Z.mul_nonneg_nonneg; clear - Ha1 Hb; lia).
  assert (Hz : part + b * a1 = 0).
  { clear - Ex Hxk H Hl Hp Hba. pose proof (Z.pow_nonneg 2 (2 * n)). nia. }
  assert (part = 0) by (clear - Hz Hp Hba; lia).
  assert (Elow : low = a * b) by (rewrite Ex, Hz; ring). subst part.
  specialize (K2 ltac:(lia)). rewrite Elow in *.
  assert (Hr : 0 <= a * b - q * m < 3 * m).
  { apply (quotient_value n k m c (a * b) tail seen lost q); try lia. }
  set (y := (a * b) mod 2 ^ (n + 2)) in *.
  assert (P2 : 0 < 2 ^ (n + 2)) by (apply Z.pow_pos_nonneg; lia).
  assert (Hy : 0 <= y < 2 ^ (n + 2)) by (apply Z.mod_pos_bound; lia).
  assert (H3 : difference n m q y (n + 2)
            (subtracts (Z.to_nat (n + 2)) n m (0, q, false, low1))).
  { replace (n + 2) with (0 + Z.of_nat (Z.to_nat (n + 2))) at 1 by (rewrite Z2Nat.id; lia).
    apply difference_steps; try lia.
    exists 0, 0, 0, y. change (2 ^ 0) with 1. rewrite Z.sub_0_r. cbn [Z.b2z].
    repeat (split; [lia |]). lia. }
  destruct (subtracts _ _ _ _) as [[[part' q'] borrow] kept'].
  destruct H3 as (low' & made & gone & rest' & _ & _ & _ & Eqm & Hd & Hg & Ed & Ey & Hrest & Ekept).
  rewrite Z.sub_diag in *. change (2 ^ 0) with 1 in *.
  assert (rest' = 0) by (clear - Hrest; lia). subst rest'.
  assert (Ekept' : kept' = a * b - q * m).
  { pose proof (Z.div_mod (a * b) (2 ^ (n + 2)) ltac:(lia)) as Dm. fold y in Dm.
    assert (Hmade : made - (a * b - q * m)
            = 2 ^ (n + 2) * (Z.b2z borrow - a * b / 2 ^ (n + 2) + (part' + m * q')))
      by (clear - Dm Eqm Ed Ey; lia).
    assert (H3m : 3 * m < 2 ^ (n + 2)) by (clear - Hm Hn; powers n; lia).
    set (t := Z.b2z borrow - a * b / 2 ^ (n + 2) + (part' + m * q')) in *.
    assert (Ht0 : t = 0) by (clear - Hmade H3m Hd Hr; nia).
    rewrite Ht0 in Hmade. clear - Hmade Ekept. lia. }
  rewrite Ekept'. set (r := a * b - q * m) in *.
  assert (Hr' : r < 2 ^ (n + 2)) by (powers n; lia).
  rewrite (correct_value n r m) by lia.
  destruct (Z.ltb_spec r m).
  - rewrite correct_value by lia. replace (r <? m) with true by (symmetry; apply Z.ltb_lt; lia).
    rewrite Z.mod_small by lia. apply Z.mod_unique with q; unfold r; lia.
  - rewrite correct_value by lia. destruct (Z.ltb_spec (r - m) m).
    + rewrite Z.mod_small by lia. apply Z.mod_unique with (q + 1); unfold r; lia.
    + rewrite Z.mod_small by lia. apply Z.mod_unique with (q + 2); unfold r; lia.
Qed.

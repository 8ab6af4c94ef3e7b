(* SPDX-License-Identifier: Apache-2.0 *)
(* Interleaved multiplication, for every width n: the step that redcore's solver compares with the
   RTL (interleaved_step of redc_steps, which `redcore verify` writes from the same functions) gives
   a b mod m after n steps. Partner: src/redcore/verify/width/interleaved.py. *)
From Coq Require Import ZArith Lia.
Require Import redc_steps.
Open Scope Z_scope.

(* Two subtractions are enough, and n + 2 bits hold every sum and the sign of every difference. *)
Lemma step_value n a part b m :
  0 < n -> 0 < m < 2 ^ n -> 0 <= part < m -> 0 <= b < m -> 0 <= a < 2 ^ n ->
  interleaved_step n a part b m
  = ((2 * a) mod 2 ^ n, (2 * part + (if 2 ^ (n - 1) <=? a then b else 0)) mod m).
Proof.
  intros Hn Hm Hp Hb Ha.
  assert (E2 : 2 ^ (n + 2) = 4 * 2 ^ n) by (rewrite Z.pow_add_r by lia; lia).
  assert (E1 : 2 ^ (n + 2 - 1) = 2 * 2 ^ n).
  { replace (n + 2 - 1) with (n + 1) by lia. rewrite Z.pow_add_r by lia. lia. }
  unfold interleaved_step. cbv zeta.
  replace (n + 1) with (n + 2 - 1) by lia.
  rewrite E1, E2. set (t := if 2 ^ (n - 1) <=? a then b else 0).
  assert (Ht : 0 <= t < m) by (unfold t; destruct (2 ^ (n - 1) <=? a); lia).
  set (P := 2 ^ n) in *.
  rewrite (Z.mod_small (2 * part) (4 * P)) by lia.
  rewrite (Z.mod_small (2 * part + t) (4 * P)) by lia.
  rewrite (Z.mod_small (2 * m) (4 * P)) by lia.
  set (s := 2 * part + t). assert (Hs : 0 <= s < 3 * m) by (unfold s; lia).
  f_equal.
  destruct (Z.lt_ge_cases s m) as [H1 | H1].
  - replace ((s - m) mod (4 * P)) with (s - m + 4 * P)
      by (apply Z.mod_unique with (-1); lia).
    replace (2 * P <=? s - m + 4 * P) with true by (symmetry; apply Z.leb_le; lia).
    rewrite !Z.mod_small; lia.
  - rewrite (Z.mod_small (s - m)) by lia.
    replace (2 * P <=? s - m) with false by (symmetry; apply Z.leb_gt; lia).
    destruct (Z.lt_ge_cases s (2 * m)) as [H2 | H2].
    + replace ((s - 2 * m) mod (4 * P)) with (s - 2 * m + 4 * P)
        by (apply Z.mod_unique with (-1); lia).
      replace (2 * P <=? s - 2 * m + 4 * P) with true by (symmetry; apply Z.leb_le; lia).
      rewrite Z.mod_small by lia. apply Z.mod_unique with 1; lia.
    + rewrite (Z.mod_small (s - 2 * m)) by lia.
      replace (2 * P <=? s - 2 * m) with false by (symmetry; apply Z.leb_gt; lia).
      rewrite Z.mod_small by lia. apply Z.mod_unique with 2; lia.
Qed.

Fixpoint steps (k : nat) (n b m : Z) (state : Z * Z) : Z * Z :=
  match k with
  | O => state
  | S k => steps k n b m (let '(a, part) := state in interleaved_step n a part b m)
  end.

(* With the lowest k bits of a to come, at the top of the register. *)
Lemma steps_value n b m : 0 < n -> 0 < m < 2 ^ n -> 0 <= b < m ->
  forall (k : nat) low part, Z.of_nat k <= n -> 0 <= low < 2 ^ Z.of_nat k -> 0 <= part < m ->
  snd (steps k n b m (low * 2 ^ (n - Z.of_nat k), part)) = (2 ^ Z.of_nat k * part + low * b) mod m.
Proof.
  intros Hn Hm Hb k. induction k as [| k IH]; intros low part Hk Hl Hp.
  - cbn [steps snd]. change (Z.of_nat 0) with 0 in *. change (2 ^ 0) with 1 in *.
    assert (low = 0) by lia. subst. rewrite Z.mod_small; lia.
  - cbn [steps]. rewrite Nat2Z.inj_succ in *. unfold Z.succ in *.
    set (j := Z.of_nat k) in *. assert (0 <= j) by (unfold j; lia).
    assert (Pj : 0 < 2 ^ j) by (apply Z.pow_pos_nonneg; lia).
    assert (Pr : 0 < 2 ^ (n - (j + 1))) by (apply Z.pow_pos_nonneg; lia).
    assert (Ej : 2 ^ (j + 1) = 2 * 2 ^ j) by (rewrite Z.pow_add_r; lia).
    assert (En : 2 ^ n = 2 ^ (n - (j + 1)) * (2 * 2 ^ j)).
    { rewrite <- Ej, <- Z.pow_add_r by lia. f_equal. lia. }
    assert (Eh : 2 ^ (n - 1) = 2 ^ (n - (j + 1)) * 2 ^ j).
    { rewrite <- Z.pow_add_r by lia. f_equal. lia. }
    assert (Ek : 2 ^ (n - j) = 2 * 2 ^ (n - (j + 1))).
    { replace (n - j) with (1 + (n - (j + 1))) by lia. rewrite Z.pow_add_r; lia. }
    rewrite step_value by (try lia; nia).
    destruct (2 ^ (n - 1) <=? low * 2 ^ (n - (j + 1))) eqn:T.
    + apply Z.leb_le in T. assert (2 ^ j <= low) by nia.
      replace ((2 * (low * 2 ^ (n - (j + 1)))) mod 2 ^ n) with ((low - 2 ^ j) * 2 ^ (n - j))
        by (apply Z.mod_unique with 1; nia).
      rewrite IH by (try lia; apply Z.mod_pos_bound; lia).
      rewrite <- Zplus_mod_idemp_l, Zmult_mod_idemp_r, Zplus_mod_idemp_l. f_equal. rewrite Ej. ring.
    + apply Z.leb_gt in T. assert (low < 2 ^ j) by nia.
      replace ((2 * (low * 2 ^ (n - (j + 1)))) mod 2 ^ n) with (low * 2 ^ (n - j))
        by (apply Z.mod_unique with 0; nia).
      rewrite IH by (try lia; apply Z.mod_pos_bound; lia).
      rewrite <- Zplus_mod_idemp_l, Zmult_mod_idemp_r, Zplus_mod_idemp_l. f_equal. rewrite Ej. ring.
Qed.

Theorem interleaved_value n a b m :
  0 < n -> 0 < m < 2 ^ n -> 0 <= a < 2 ^ n -> 0 <= b < m ->
  snd (steps (Z.to_nat n) n b m (a, 0)) = (a * b) mod m.
Proof.
  intros Hn Hm Ha Hb.
  pose proof (steps_value n b m Hn Hm Hb (Z.to_nat n) a 0) as H.
  rewrite Z2Nat.id, Z.sub_diag, Z.mul_1_r in H by lia.
  rewrite H by lia. f_equal. ring.
Qed.

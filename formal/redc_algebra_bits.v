(* SPDX-License-Identifier: Apache-2.0 *)
(* Bits and halves of numbers: what the algebra of several families takes. *)
From Coq Require Import ZArith Lia Bool.
Open Scope Z_scope.

Definition when (c : bool) (x : Z) : Z := if c then x else 0.

Lemma power k : 0 <= k -> 0 < 2 ^ k.
Proof. intros. apply Z.pow_pos_nonneg; lia. Qed.

Lemma halves x : x = 2 * (x / 2) + Z.b2z (Z.odd x).
Proof. rewrite <- Z.div2_div. rewrite (Z.div2_odd x) at 1. reflexivity. Qed.

Lemma bit_odd x k : 0 <= k -> Z.testbit x k = Z.odd (x / 2 ^ k).
Proof. intros. rewrite <- Z.shiftr_div_pow2, <- Z.bit0_odd, Z.shiftr_spec by lia. reflexivity. Qed.

Lemma half_bit x k : 0 <= k -> Z.testbit (x / 2) k = Z.testbit x (k + 1).
Proof. intros. rewrite Z.div2_bits, Z.add_1_r by assumption. reflexivity. Qed.

Lemma low_bits x k : 0 <= k -> x mod 2 ^ (k + 1) = x mod 2 ^ k + 2 ^ k * Z.b2z (Z.testbit x k).
Proof.
  intros Hk. rewrite Z.pow_add_r, Z.rem_mul_r by (try apply Z.pow_nonzero; lia).
  change (2 ^ 1) with 2. rewrite bit_odd by assumption.
  f_equal. f_equal. rewrite Zmod_odd. destruct (Z.odd (x / 2 ^ k)); reflexivity.
Qed.

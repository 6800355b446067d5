; SPDX-License-Identifier: GPL-2.0
;
; The axiom masked_difference of accumulator.c, proved by bits: 64 of them are the register of a
; processor, 66 contain every difference d of two such values. Unsigned arithmetic of C keeps the
; lower 64 of them (C11 6.3.1.3). The answer must be unsat: no width and no d contradict it.
(set-logic QF_BV)
(define-sort whole () (_ BitVec 66))
(declare-const bits whole)
(declare-const d whole)
(define-fun one () whole (_ bv1 66))
(define-fun mask () whole (bvsub (bvshl one bits) one))
(assert (and (bvule one bits) (bvule bits (_ bv64 66))))
(assert (and (bvsle (bvneg mask) d) (bvsle d mask)))
(assert (not (= (bvand mask ((_ zero_extend 2) ((_ extract 63 0) d)))
                (ite (bvsge d (_ bv0 66)) d (bvadd d mask one)))))
(check-sat)

;; The inner loop of the resampler. `polyphase-kernel.ts` holds it assembled: run `npm run generate` after a change.
;;
;; One block of a polyphase filter: each output sample is the product of one phase's row of the table and as many samples of
;; the input. The loop makes eight products at a time, in two sums, so that no addition waits for the one before it. It does
;; so four times in an iteration, since an iteration costs about as much as eight products. A sum cannot overflow: it is at
;; most 2^15 * 2^14 times the sum of the absolute weights of a row, which is less than 4.
(module
  (memory (export "memory") 2)
  (func (export "filter")
    (param $input i32)   ;; i16 samples
    (param $output i32)  ;; i16 samples
    (param $count i32)   ;; of the output, at least 1
    (param $table i32)   ;; $phases rows of $taps i16, of which 2^14 is 1
    (param $taps i32)    ;; a multiple of 32
    (param $phases i32)
    (param $step i32)    ;; phases from one output sample to the next
    (param $phase i32)   ;; of the first output sample
    (local $at i32) (local $row i32) (local $rowEnd i32) (local $rowBytes i32)
    (local $a v128) (local $b v128)
    (local.set $rowBytes (i32.shl (local.get $taps) (i32.const 1)))
    (loop $sample
      (local.set $at (local.get $input))
      (local.set $row (i32.add (local.get $table) (i32.mul (local.get $phase) (local.get $rowBytes))))
      (local.set $rowEnd (i32.add (local.get $row) (local.get $rowBytes)))
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (loop $tap
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load (local.get $row)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $row)))))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (v128.load offset=32 (local.get $at)) (v128.load offset=32 (local.get $row)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (v128.load offset=48 (local.get $at)) (v128.load offset=48 (local.get $row)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (local.set $row (i32.add (local.get $row) (i32.const 64)))
        (br_if $tap (i32.lt_u (local.get $row) (local.get $rowEnd))))
      (local.set $a (i32x4.add (local.get $a) (local.get $b)))
      (local.set $a (i32x4.add (local.get $a)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
      (local.set $a (i32x4.add (local.get $a)
        (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $a) (local.get $a))))
      ;; Round, and saturate to 16 bits.
      (v128.store16_lane 0 (local.get $output)
        (i16x8.narrow_i32x4_s
          (i32x4.shr_s (i32x4.add (local.get $a) (v128.const i32x4 8192 8192 8192 8192)) (i32.const 14))
          (v128.const i32x4 0 0 0 0)))
      (local.set $output (i32.add (local.get $output) (i32.const 2)))
      (local.set $phase (i32.add (local.get $phase) (local.get $step)))
      (block $inRange
        (br_if $inRange (i32.lt_u (local.get $phase) (local.get $phases)))
        (loop $advance
          (local.set $phase (i32.sub (local.get $phase) (local.get $phases)))
          (local.set $input (i32.add (local.get $input) (i32.const 2)))
          (br_if $advance (i32.ge_u (local.get $phase) (local.get $phases)))))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $sample (local.get $count)))))

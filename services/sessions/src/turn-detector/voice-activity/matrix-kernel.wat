;; One layer of a neural network. `matrix-kernel.ts` holds it assembled: run `npm run generate` after a change.
;;
;; For each column, a vector of $rowBytes in the input, and each row of the weights: their product, plus the bias of the row,
;; but at least $least. Four rows are multiplied at a time, so that a column is loaded once for the four of them, and eight
;; floats in a turn of the innermost loop.
(module
  (memory (export "memory") 1)
  (func (export "multiply")
    (param $output i32)         ;; f32, $rows of them for each column
    (param $outputDistance i32) ;; bytes from one column of the output to the next
    (param $weights i32)        ;; f32, $rows rows one after the other
    (param $rowBytes i32)       ;; a multiple of 32
    (param $bias i32)           ;; f32, one for each row
    (param $rows i32)           ;; a multiple of 4
    (param $input i32)          ;; f32
    (param $inputDistance i32)  ;; bytes from one column of the input to the next; columns may overlap
    (param $columns i32)        ;; at least 1
    (param $least f32)
    (local $columnsLeft i32) (local $to i32) (local $column i32) (local $at i32) (local $end i32)
    (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $factor v128)
    (loop $fourRows
      (local.set $columnsLeft (local.get $columns))
      (local.set $to (local.get $output))
      (local.set $column (local.get $input))
      (loop $eachColumn
        (local.set $row0 (local.get $weights))
        (local.set $row1 (i32.add (local.get $row0) (local.get $rowBytes)))
        (local.set $row2 (i32.add (local.get $row1) (local.get $rowBytes)))
        (local.set $row3 (i32.add (local.get $row2) (local.get $rowBytes)))
        (local.set $end (i32.add (local.tee $at (local.get $column)) (local.get $rowBytes)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (loop $eightFloats
          (local.set $factor (v128.load (local.get $at)))
          (local.set $sum0 (f32x4.add (local.get $sum0) (f32x4.mul (v128.load (local.get $row0)) (local.get $factor))))
          (local.set $sum1 (f32x4.add (local.get $sum1) (f32x4.mul (v128.load (local.get $row1)) (local.get $factor))))
          (local.set $sum2 (f32x4.add (local.get $sum2) (f32x4.mul (v128.load (local.get $row2)) (local.get $factor))))
          (local.set $sum3 (f32x4.add (local.get $sum3) (f32x4.mul (v128.load (local.get $row3)) (local.get $factor))))
          (local.set $factor (v128.load offset=16 (local.get $at)))
          (local.set $sum0
            (f32x4.add (local.get $sum0) (f32x4.mul (v128.load offset=16 (local.get $row0)) (local.get $factor))))
          (local.set $sum1
            (f32x4.add (local.get $sum1) (f32x4.mul (v128.load offset=16 (local.get $row1)) (local.get $factor))))
          (local.set $sum2
            (f32x4.add (local.get $sum2) (f32x4.mul (v128.load offset=16 (local.get $row2)) (local.get $factor))))
          (local.set $sum3
            (f32x4.add (local.get $sum3) (f32x4.mul (v128.load offset=16 (local.get $row3)) (local.get $factor))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $row0 (i32.add (local.get $row0) (i32.const 32)))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 32)))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 32)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 32)))
          (br_if $eightFloats (i32.lt_u (local.get $at) (local.get $end))))
        ;; Each sum has four parts. Two steps add them, so that the four lanes of one vector are the sums of the four rows.
        (local.set $sum0 (f32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sum0) (local.get $sum1))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sum0) (local.get $sum1))))
        (local.set $sum1 (f32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sum2) (local.get $sum3))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sum2) (local.get $sum3))))
        (v128.store (local.get $to)
          (f32x4.max
            (f32x4.add
              (f32x4.add
                (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $sum0) (local.get $sum1))
                (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $sum0) (local.get $sum1)))
              (v128.load (local.get $bias)))
            (f32x4.splat (local.get $least))))
        (local.set $to (i32.add (local.get $to) (local.get $outputDistance)))
        (local.set $column (i32.add (local.get $column) (local.get $inputDistance)))
        (br_if $eachColumn (local.tee $columnsLeft (i32.sub (local.get $columnsLeft) (i32.const 1)))))
      (local.set $weights (i32.add (local.get $weights) (i32.mul (local.get $rowBytes) (i32.const 4))))
      (local.set $bias (i32.add (local.get $bias) (i32.const 16)))
      (local.set $output (i32.add (local.get $output) (i32.const 16)))
      (br_if $fourRows (local.tee $rows (i32.sub (local.get $rows) (i32.const 4)))))))

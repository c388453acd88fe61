import fc from 'fast-check'
import {
  createMatrixProduct,
  floatsAtOnce,
  rowsAtOnce,
} from '../../../src/turn-detector/voice-activity/matrix-product.js'

const small = fc.integer({ min: -50, max: 50 })
const shape = fc.record({
  rows: fc.integer({ min: 1, max: 5 }).map((n) => n * rowsAtOnce),
  rowFloats: fc.integer({ min: 1, max: 6 }).map((n) => n * floatsAtOnce),
  columns: fc.integer({ min: 1, max: 5 }),
  distance: fc.integer({ min: 1, max: 9 }).map((n) => 4 * n),
  numbers: fc.array(small, { minLength: 40, maxLength: 200 }),
  least: fc.constantFrom(0, Number.NEGATIVE_INFINITY),
})

it('is what plain loops compute, also for overlapping columns', () => {
  fc.assert(
    fc.property(shape, ({ rows, rowFloats, columns, distance, numbers, least }) => {
      const { floats, multiply } = createMatrixProduct(20_000)
      const [weights, bias, input, output] = [0, 4_000, 8_000, 12_000]
      for (let at = 0; at < output; at++) floats[at] = numbers[at % numbers.length] as number
      multiply(
        ...([4 * output, 4 * rows, 4 * weights, 4 * rowFloats, 4 * bias, rows] as const),
        ...([4 * input, 4 * distance, columns] as const),
        least,
      )
      const expected = Array.from({ length: rows * columns }, (_, place) => {
        const [column, row] = [Math.floor(place / rows), place % rows]
        let sum = floats[bias + row] as number
        for (let at = 0; at < rowFloats; at++) {
          sum += (floats[weights + row * rowFloats + at] as number) * (floats[input + column * distance + at] as number)
        }
        return Math.max(least, sum)
      })
      expect([...floats.subarray(output, output + rows * columns)]).toEqual(expected)
      expect(floats[output + rows * columns]).toBe(0)
    }),
  )
})

import { axisTopOf, isNamed } from '../../src/shared/chart-scale.js'

test('the axis ends at a round number that no bar exceeds', () => {
  for (const [amounts, top] of [
    [[0.3, 1.2], 2],
    [[70.25], 100],
    [[5], 5],
    [[501], 1000],
    [[0.0031], 0.005],
    [[0], 1],
    [[], 1],
  ] as const)
    expect([amounts, axisTopOf(amounts)]).toEqual([amounts, expect.closeTo(top, 9)])
})

test('the last day of a range is named, and at most five before it', () => {
  for (const days of [7, 30, 90]) {
    const named = Array.from({ length: days }, (_, index) => index).filter((index) => isNamed(index, days))
    expect([named.at(-1), named.length <= 6, named.length >= 4]).toEqual([days - 1, true, true])
  }
})

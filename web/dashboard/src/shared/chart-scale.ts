/** The top of the axis: 1, 2 or 5 times a power of ten, and not below the largest amount. 1 when all amounts are 0. */
export const axisTopOf = (amounts: readonly number[]): number => {
  const largest = Math.max(0, ...amounts)
  if (largest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(largest))
  return power * [1, 2, 5, 10].find((step) => step * power >= largest)!
}

/** Whether a day has its name below the axis: the last day has one, and about `names` days before it at equal distances. */
export const isNamed = (index: number, days: number, names = 6): boolean =>
  (days - 1 - index) % Math.ceil(days / names) === 0

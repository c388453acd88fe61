/** The ranges to choose from, in days. Today is the last day. */
export const rangesInDays = [7, 30, 90] as const
export type RangeInDays = (typeof rangesInDays)[number]

const dayMs = 24 * 3_600_000

/** The days of a range in UTC, such as "2026-01-31", oldest first. */
export const daysOf = (range: RangeInDays, nowMs = Date.now()): readonly string[] =>
  Array.from({ length: range }, (_, index) => new Date(nowMs - (range - 1 - index) * dayMs).toISOString().slice(0, 10))

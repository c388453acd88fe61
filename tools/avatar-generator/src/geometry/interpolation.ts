export const clamp = (value: number, low = 0, high = 1): number => Math.min(high, Math.max(low, value))

export const mix = (a: number, b: number, share: number): number => a + (b - a) * share

/** From 0 at `from` to 1 at `to`, flat at both ends; `from` may be the greater one. */
export const smoothstep = (from: number, to: number, value: number): number => {
  const t = clamp((value - from) / (to - from))
  return t * t * (3 - 2 * t)
}

/** 1 at zero, and next to nothing beyond twice the width. */
export const bell = (offset: number, width: number): number => Math.exp(-((offset / width) ** 2))

export const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The point of a smooth curve through `b` at 0 and `c` at 1; `a` and `d` are its neighbours. */
export const throughPoints = (a: number, b: number, c: number, d: number, t: number): number =>
  0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)

/** A smooth curve through rows of numbers, with `steps` steps between two rows. */
export const smoothRows = (rows: readonly (readonly number[])[], steps: number): number[][] => {
  const at = (index: number) => rows[clamp(index, 0, rows.length - 1)]!
  const smooth = rows
    .slice(1)
    .flatMap((_, index) =>
      Array.from({ length: steps }, (_, step) =>
        at(index).map((value, column) =>
          throughPoints(at(index - 1)[column]!, value, at(index + 1)[column]!, at(index + 2)[column]!, step / steps),
        ),
      ),
    )
  return [...smooth, [...at(rows.length - 1)]]
}

import { blend, scale, type Vec3 } from './vector.js'

/** Linear red, green and blue from 0 to 1, as light adds up. */
export type Color = Vec3

const linear = (encoded: number): number => (encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4)

/** From the notation of style sheets, `#rrggbb`. */
export const color = (notation: string): Color => {
  const channel = (at: number) => linear(Number.parseInt(notation.slice(at, at + 2), 16) / 255)
  return [channel(1), channel(3), channel(5)]
}

export const tint = (base: Color, other: Color, share: number): Color => blend(base, other, share)

export const darken = (base: Color, by: number): Color => scale(base, 1 - by)

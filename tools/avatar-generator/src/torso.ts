import { type DistanceField, ellipsoid, grown, join, mirrored, outermost, rod } from './geometry/distance-field.js'
import { bell } from './geometry/interpolation.js'
import { directionOf, type Vec3 } from './geometry/vector.js'
import type { Person } from './person.js'

/** The clothed upper body, and the bare neck. */
export interface Torso {
  readonly clothed: DistanceField
  readonly neck: DistanceField
  readonly neckRadius: number
  /** The whole surface is seen from here. */
  readonly middle: Vec3
  /** Where clothes begin at an azimuth in degrees. */
  neckline(azimuth: number): Vec3
  /** As an elevation seen from `middle`, in degrees. */
  necklineElevation(azimuth: number): number
}

/** The elevation of the neckline at the sides, in degrees. */
const highest = { crew: 62, turtleneck: 70.5, shirt: 65 } as const

export const createTorso = ({ clothes, face }: Person): Torso => {
  const middle: Vec3 = [0, -2.35, -0.16]
  const wide = clothes.shoulders
  const neckRadius = 0.385 * face.neck
  const chest = ellipsoid([0, -2.42, -0.1], [0.86 * wide, 1.0, 0.6])
  const shoulder = rod([0.4 * wide, -1.68, -0.2], [0.98 * wide, -1.95, -0.2], 0.22, 0.29)
  const arm = rod([0.98 * wide, -1.95, -0.2], [1.16 * wide, -3.3, -0.1], 0.29, 0.27)
  const slope = rod([0.1, -1.34, -0.24], [0.55 * wide, -1.68, -0.22], 0.24, 0.2)
  const nape = rod([0, -1.4, -0.3], [0, -2, -0.36], 0.24, 0.3)
  const half = join(join(join(join(chest, shoulder, 0.28), arm, 0.22), slope, 0.3), nape, 0.2)
  const bare = mirrored(half)
  const throat = rod([0, -0.4, -0.14], [0, -1.6, -0.17], neckRadius, neckRadius * 1.05)
  const closesHigh = clothes.kind === 'turtleneck'
  const clothed = closesHigh ? join(bare, grown(throat, 0.045), 0.16) : bare
  const necklineElevation = (azimuth: number) =>
    highest[clothes.kind] + (closesHigh ? 0 : 4 * bell(180 - Math.abs(azimuth), 45) - 7 * bell(azimuth, 60))
  return {
    clothed,
    neck: join(throat, grown(bare, -0.06), 0.07),
    neckRadius,
    middle,
    necklineElevation,
    neckline: (azimuth) => outermost(clothed, middle, directionOf(azimuth, necklineElevation(azimuth)), 2.5),
  }
}

import { type DistanceField, ellipsoid, join, mirrored, outermost, rod } from './geometry/distance-field.js'
import { bell } from './geometry/interpolation.js'
import { directionOf, type Vec3 } from './geometry/vector.js'
import type { Person } from './person.js'

/** The clothed upper body, and the bare neck. */
export interface Torso {
  readonly clothed: DistanceField
  readonly neck: DistanceField
  /** The whole surface is seen from here. */
  readonly middle: Vec3
  /** Where clothes begin at an azimuth in degrees. */
  neckline(azimuth: number): Vec3
  /** As an elevation seen from `middle`, in degrees. */
  necklineElevation(azimuth: number): number
}

export const createTorso = ({ clothes, face }: Person): Torso => {
  const middle: Vec3 = [0, -2.35, -0.16]
  const shoulder = 1.02 * clothes.shoulders
  const chest = ellipsoid([0, -2.3, -0.12], [0.92 * clothes.shoulders, 0.86, 0.52])
  const shoulders = rod([0.3, -1.66, -0.2], [shoulder, -1.86, -0.2], 0.24, 0.27)
  const arm = rod([shoulder, -1.86, -0.2], [shoulder + 0.14, -3.2, -0.12], 0.27, 0.25)
  const slope = rod([0.12, -1.25, -0.22], [0.55, -1.62, -0.22], 0.24, 0.2)
  let half = join(chest, shoulders, 0.2)
  half = join(half, arm, 0.16)
  half = join(half, slope, 0.26)
  const clothed = mirrored(half)

  const depth = clothes.kind === 'shirt' ? 11 : 0
  const necklineElevation = (azimuth: number) => 62 - 7 * bell(azimuth, 60) - depth * bell(azimuth, 26)
  return {
    clothed,
    neck: join(
      rod([0, -0.4, -0.14], [0, -1.5, -0.17], 0.37 * face.neck, 0.39 * face.neck),
      (at) => clothed(at) + 0.035,
      0.14,
    ),
    middle,
    necklineElevation,
    neckline: (azimuth) => outermost(clothed, middle, directionOf(azimuth, necklineElevation(azimuth)), 2.5),
  }
}

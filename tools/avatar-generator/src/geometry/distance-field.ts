import { clamp, mix } from './interpolation.js'
import { add, dot, length, normalize, scale, subtract, type Vec3 } from './vector.js'

/** How far a point is outside of a body; negative inside. Roughly so: steps towards the surface are shortened for it. */
export type DistanceField = (point: Vec3) => number

export const ellipsoid =
  (centre: Vec3, radii: Vec3): DistanceField =>
  (point) => {
    const x = (point[0] - centre[0]) / radii[0]
    const y = (point[1] - centre[1]) / radii[1]
    const z = (point[2] - centre[2]) / radii[2]
    const inRadii = Math.sqrt(x * x + y * y + z * z)
    const steepness = Math.sqrt((x / radii[0]) ** 2 + (y / radii[1]) ** 2 + (z / radii[2]) ** 2)
    return steepness < 1e-6 ? -Math.min(...radii) : (inRadii * (inRadii - 1)) / steepness
  }

/** A rod with round ends, which may be of different thickness. */
export const rod = (from: Vec3, to: Vec3, fromRadius: number, toRadius = fromRadius): DistanceField => {
  const axis = subtract(to, from)
  const axisSquared = dot(axis, axis)
  return (point) => {
    const offset = subtract(point, from)
    const along = clamp(dot(offset, axis) / axisSquared)
    return length(subtract(offset, scale(axis, along))) - mix(fromRadius, toRadius, along)
  }
}

/** Both bodies, run together over the given width where they meet. */
export const join = (a: DistanceField, b: DistanceField, width: number): DistanceField => {
  return (point) => {
    const [da, db] = [a(point), b(point)]
    const share = clamp(0.5 + (db - da) / (2 * width))
    return mix(db, da, share) - width * share * (1 - share)
  }
}

/** The first body without the second, the edge rounded. */
export const carve = (body: DistanceField, hollow: DistanceField, width: number): DistanceField => {
  const outside = join((point) => -body(point), hollow, width)
  return (point) => -outside(point)
}

/** The left half, on both sides. */
export const mirrored =
  (field: DistanceField): DistanceField =>
  ([x, y, z]) =>
    field([Math.abs(x), y, z])

/** Grown by that much all over. */
export const grown =
  (field: DistanceField, by: number): DistanceField =>
  (point) =>
    field(point) - by

/** Where the surface is when one looks from far outside towards `origin`, along the direction given from there. */
export const outermost = (field: DistanceField, origin: Vec3, direction: Vec3, farthest = 3): Vec3 => {
  let along = farthest
  for (let step = 0; step < 120; step++) {
    const gap = field(add(origin, scale(direction, along)))
    if (Math.abs(gap) < 1e-4) break
    along -= gap * 0.7
    if (along < 0.02) break
  }
  return add(origin, scale(direction, along))
}

/** The same, when a point of that surface nearby is known: a few steps of Newton's method. */
export const nearSurface = (field: DistanceField, origin: Vec3, direction: Vec3, guess: number): Vec3 => {
  const at = (along: number) => field(add(origin, scale(direction, along)))
  let along = guess
  for (let step = 0; step < 6; step++) {
    const gap = at(along)
    if (Math.abs(gap) < 1e-5) break
    const slope = (at(along + 1e-3) - gap) / 1e-3
    if (slope < 0.2) return outermost(field, origin, direction)
    along -= clamp(gap / slope, -0.1, 0.1)
  }
  return add(origin, scale(direction, along))
}

/** Which way the surface faces. */
export const facing = (field: DistanceField, [x, y, z]: Vec3): Vec3 => {
  const e = 2e-3
  return normalize([
    field([x + e, y, z]) - field([x - e, y, z]),
    field([x, y + e, z]) - field([x, y - e, z]),
    field([x, y, z + e]) - field([x, y, z - e]),
  ])
}

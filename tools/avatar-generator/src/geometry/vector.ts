/** x to the person's left, y up, z to the front. */
export type Vec3 = readonly [number, number, number]

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const scale = (a: Vec3, by: number): Vec3 => [a[0] * by, a[1] * by, a[2] * by]
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
export const length = (a: Vec3): number => Math.sqrt(dot(a, a))
export const distance = (a: Vec3, b: Vec3): number => length(subtract(a, b))

/** Of length one; straight ahead for what has no direction. */
export const normalize = (a: Vec3): Vec3 => {
  const size = length(a)
  return size < 1e-12 ? [0, 0, 1] : scale(a, 1 / size)
}

export const blend = (a: Vec3, b: Vec3, share: number): Vec3 => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]

/** The mean of several points. */
export const centerOf = (points: readonly Vec3[]): Vec3 =>
  scale(
    points.reduce((sum, point) => add(sum, point), [0, 0, 0] as Vec3),
    1 / points.length,
  )

/** Turned by an angle in radians about the axis from one side to the other; positive bows forward. */
export const turnAboutX = (point: Vec3, pivot: Vec3, angle: number): Vec3 => {
  const [x, y, z] = subtract(point, pivot)
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return add(pivot, [x, y * c - z * s, y * s + z * c])
}

/** Turned about the upright axis; positive turns what looks ahead to the person's left. */
export const turnAboutY = (point: Vec3, pivot: Vec3, angle: number): Vec3 => {
  const [x, y, z] = subtract(point, pivot)
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  return add(pivot, [x * c + z * s, y, z * c - x * s])
}

/** The direction at an azimuth, from the front to the person's left, and an elevation, both in degrees. */
export const directionOf = (azimuth: number, elevation: number): Vec3 => {
  const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180]
  return [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)]
}

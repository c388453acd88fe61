import { bell, mix, smoothstep } from '../geometry/interpolation.js'
import type { MouthShape } from '../mouth-shape.js'

/** A place on the face: left and up of the mouth's middle, in radians as seen from the head's middle. */
export type OnFace = readonly [x: number, y: number]

/** Both edges of the lips on one ray from the mouth's middle. */
export interface LipEdges {
  /** Where the lips meet, or the opening begins. */
  readonly inner: OnFace
  /** Where the skin begins. */
  readonly outer: OnFace
}

/** `angle` is the ray: 0 is the left corner, a quarter turn the middle of the upper lip. `fullness` is of the lips. */
export const lipEdges = (shape: MouthShape, fullness: number, angle: number): LipEdges => {
  const x = alongLips(angle)
  const sine = Math.sin(angle)
  const opening = Math.max(0, 1 - x * x) ** shape.pointed * (sine >= 0 ? shape.upperOpening : -shape.lowerOpening)
  const inner: OnFace = [shape.width * x, opening + shape.cornerLift * x * x]

  const full =
    fullness * (sine >= 0 ? 0.054 * cupidsBow(x, shape.width) : 0.072) * (1 - 0.52 * shape.roll) * (1 + shape.pout)
  const atX = mix(0.12, 1, (1 - Math.abs(x) ** 2.6) ** 0.75) * Math.min(1, 4 * Math.abs(sine))
  return { inner, outer: [inner[0] + 0.02 * x ** 3, inner[1] + Math.sign(sine) * full * atX] }
}

/** From 1 at the left corner to -1 at the right one. Rays spread evenly round the middle would crowd and crease there. */
const alongLips = (angle: number): number => {
  const turn = (((angle / (2 * Math.PI)) % 1) + 1) % 1
  return mix(Math.cos(angle), Math.abs(turn - 0.5) * 4 - 1, 0.55)
}

/** A narrow mouth has its lips stretched round, so that the bow is gone. */
const cupidsBow = (x: number, width: number): number =>
  1 + smoothstep(0.1, 0.2, width) * (0.1 * bell(Math.abs(x) - 0.32, 0.16) - 0.24 * bell(x, 0.16))

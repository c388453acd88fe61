import { carve, type DistanceField, ellipsoid, join, mirrored, outermost, rod } from './geometry/distance-field.js'
import { cross, normalize, type Vec3 } from './geometry/vector.js'
import type { FaceShape, Person } from './person.js'

/** The bare head as a body, and the places on it that other parts go by. */
export interface Head {
  readonly field: DistanceField
  /** Every point of the surface is seen from here. */
  readonly middle: Vec3
  /** Of the left eye. */
  readonly eye: Vec3
  readonly eyeRadius: number
  /** Where the jaw turns. */
  readonly hinge: Vec3
  /** The middle of the closed mouth, on the surface. */
  readonly mouth: Vec3
  /** The direction from `middle` to the mouth, and what is up there for one who looks along it. */
  readonly mouthDirection: Vec3
  readonly mouthUp: Vec3
}

const middle: Vec3 = [0, -0.08, 0]

export const createHead = ({ face, eyes }: Person): Head => {
  const eye: Vec3 = [0.335, 0.05, 0.59]
  const eyeRadius = 0.235 * eyes.size
  const field = headField(face, eye)
  const mouthDirection = normalize([0, -0.5 * face.faceLength, 0.86])
  return {
    field,
    middle,
    eye,
    eyeRadius,
    hinge: [0, -0.12, -0.05],
    mouth: outermost(field, middle, mouthDirection),
    mouthDirection,
    mouthUp: cross(mouthDirection, [1, 0, 0]),
  }
}

const headField = (face: FaceShape, eye: Vec3): DistanceField => {
  const low = (y: number) => y * face.faceLength
  const skull = ellipsoid([0, 0.3, -0.12], [0.88 * face.skull, 0.9, 0.97])
  const front = ellipsoid([0, -0.2, 0.13], [0.7 * face.skull, 0.8, 0.7])
  const jaw = rod([0.36 * face.jaw, low(-0.5), 0.08], [0.13 * face.jaw, low(-0.8), 0.5], 0.24, 0.2)
  const chin = ellipsoid([0, low(-0.86), 0.58], [0.21 * face.chin, 0.15, 0.17])
  const cheek = ellipsoid([0.4 * face.cheekbones, -0.24, 0.5], [0.29, 0.25, 0.28])
  const muzzle = ellipsoid([0, low(-0.55), 0.65], [0.33, 0.24, 0.2])
  const ridge = rod([0.12, 0.31, 0.76], [0.5, 0.3, 0.56], 0.1 * face.browRidge)
  const socket = ellipsoid([eye[0], eye[1] + 0.01, eye[2] + 0.36], [0.23, 0.2, 0.22])

  let half = join(skull, front, 0.35)
  half = join(half, jaw, 0.28)
  half = join(half, chin, 0.22)
  half = join(half, cheek, 0.24)
  half = join(half, muzzle, 0.22)
  half = join(half, ridge, 0.16)
  half = carve(half, socket, 0.16)
  return mirrored(join(half, nose(face), 0.1))
}

const nose = ({ noseLength, noseWidth }: FaceShape): DistanceField => {
  const tipHeight = -0.1 - 0.14 * noseLength
  const bridge = rod([0, 0.08, 0.78], [0, tipHeight + 0.03, 0.93], 0.05 * noseWidth, 0.08 * noseWidth)
  const tip = ellipsoid([0, tipHeight, 0.945], [0.11 * noseWidth, 0.095, 0.1])
  const wing = ellipsoid([0.095 * noseWidth, tipHeight - 0.025, 0.87], [0.065 * noseWidth, 0.055, 0.075])
  return join(join(bridge, tip, 0.08), wing, 0.05)
}

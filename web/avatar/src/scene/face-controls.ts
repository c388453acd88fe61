import { Euler, Mesh, type Object3D, Quaternion } from 'three'
import type { IdlePose } from '../motion/idle-motion.js'

/** Morph targets and joints of a model, by name. Those that a model lacks are ignored. */
export interface FaceControls {
  /** Weights from 0 to 1. All other targets are set to 0. */
  setMorphs(weights: ReadonlyMap<string, number>): void
  /** The weights that were set last. */
  morphs(): ReadonlyMap<string, number>
  readonly head: Object3D | undefined
  readonly body: Object3D | undefined
  readonly eyes: readonly Object3D[]
}

export const createFaceControls = (model: Object3D): FaceControls => {
  const places = new Map<string, { influences: number[]; index: number }[]>()
  model.traverse((object) => {
    if (!(object instanceof Mesh) || object.morphTargetDictionary === undefined) return
    for (const [name, index] of Object.entries(object.morphTargetDictionary as Record<string, number>)) {
      const known = places.get(name) ?? []
      places.set(name, [...known, { influences: object.morphTargetInfluences!, index }])
    }
  })
  const shown = new Map<string, number>()
  const named = (name: string) => model.getObjectByName(name)

  return {
    setMorphs(weights) {
      for (const [name, targets] of places) {
        const weight = weights.get(name) ?? 0
        shown.set(name, weight)
        for (const { influences, index } of targets) influences[index] = weight
      }
    },
    morphs: () => shown,
    head: named('Head'),
    body: named('Body'),
    eyes: ['EyeLeft', 'EyeRight'].flatMap((name) => named(name) ?? []),
  }
}

/** The growth of the body at the deepest breath. */
const breathSize = 0.006

/** Turns head and eyes relative to their rest pose, and moves the body with the breath. */
export const createJoints = ({ head, body, eyes }: FaceControls): ((pose: IdlePose) => void) => {
  const turn = new Quaternion()
  const angles = new Euler()
  const turnable = (joint: Object3D) => {
    const rest = joint.quaternion.clone()
    return (nod: number, aside: number, tilt: number) =>
      joint.quaternion.copy(rest).multiply(turn.setFromEuler(angles.set(nod, aside, tilt)))
  }
  const turnHead = head && turnable(head)
  const turnEyes = eyes.map(turnable)
  const bodyScale = body?.scale.clone()

  return ({ headNod, headTurn, headTilt, gazeNod, gazeTurn, breath }) => {
    turnHead?.(headNod, headTurn, headTilt)
    // The eyes keep their target while the head moves.
    for (const turnEye of turnEyes) turnEye(gazeNod - headNod, gazeTurn - headTurn, 0)
    if (body && bodyScale) body.scale.copy(bodyScale).multiplyScalar(1 + breathSize * breath)
  }
}

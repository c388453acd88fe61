import { Euler, type Object3D, Quaternion } from 'three'
import type { IdlePose } from '../motion/idle-motion.js'
import type { FaceControls } from './face-controls.js'

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

import { Euler, type Object3D, Quaternion } from 'three'
import type { IdlePose } from '../motion/idle-motion.js'
import type { FaceControls } from './face-controls.js'

/** Of the body's size, at the fullest breath. */
const breathSize = 0.006

/** Turns head and eyes away from how the model holds them, and lets the body breathe. */
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
    // The eyes stay on whom they look at while the head moves.
    for (const turnEye of turnEyes) turnEye(gazeNod - headNod, gazeTurn - headTurn, 0)
    if (body && bodyScale) body.scale.copy(bodyScale).multiplyScalar(1 + breathSize * breath)
  }
}

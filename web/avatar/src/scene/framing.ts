import { Box3, type Object3D, type PerspectiveCamera, Vector3 } from 'three'

/** Head and shoulders: so much of the head's height is left free above it, and shown below it. */
const above = 0.1
const below = 0.45
/** The narrowest picture still holds the head and a little beside it. */
const widthOfHead = 1.22

/** Measures the model once, as it rests; call what is returned whenever the picture's shape changes. */
export const createFraming = (model: Object3D, head: Object3D | undefined, camera: PerspectiveCamera) => {
  model.updateMatrixWorld(true)
  const box = new Box3().setFromObject(head ?? model, true)
  const feet = new Box3().setFromObject(model, true).min.y
  const size = box.getSize(new Vector3())
  const middle = box.getCenter(new Vector3())
  // Of a model without a part named so, the head is taken to be the topmost third.
  const headHeight = head === undefined ? size.y / 3 : Math.min(size.y, size.x * 1.6)
  const headWidth = head === undefined ? headHeight * 0.8 : size.x

  return (aspect: number): void => {
    const tall = headHeight * (1 + above + below)
    const seen = Math.max(tall, (headWidth * widthOfHead) / aspect)
    const distance = seen / 2 / Math.tan((camera.fov * Math.PI) / 360) + size.z * 0.4
    const usual = box.max.y + headHeight * above - tall / 2
    // In a tall picture there is room over the head rather than under the body, where that would be seen to end.
    const centre = Math.max(usual, feet + headHeight * 0.1 + seen / 2)
    camera.aspect = aspect
    camera.near = distance / 20
    camera.far = distance * 4
    camera.position.set(middle.x, centre + 0.04 * headHeight, middle.z + distance)
    camera.lookAt(middle.x, centre, middle.z)
    camera.updateProjectionMatrix()
  }
}

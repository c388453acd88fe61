import { Box3, type Object3D, type PerspectiveCamera, Vector3 } from 'three'

/** Head and shoulders: the space above the head, and the part shown below it, in heights of the head. */
const above = 0.1
const below = 0.45
/** The narrowest picture contains the head and a margin. */
const widthOfHead = 1.22

/** Measures the model once, at rest. The returned function must be called when the aspect ratio changes. */
export const createFraming = (model: Object3D, head: Object3D | undefined, camera: PerspectiveCamera) => {
  model.updateMatrixWorld(true)
  const box = new Box3().setFromObject(head ?? model, true)
  const feet = new Box3().setFromObject(model, true).min.y
  const size = box.getSize(new Vector3())
  const middle = box.getCenter(new Vector3())
  // In a model without a `Head`, the topmost third is the head.
  const headHeight = head === undefined ? size.y / 3 : Math.min(size.y, size.x * 1.6)
  const headWidth = head === undefined ? headHeight * 0.8 : size.x

  return (aspect: number): void => {
    const tall = headHeight * (1 + above + below)
    const seen = Math.max(tall, (headWidth * widthOfHead) / aspect)
    const distance = seen / 2 / Math.tan((camera.fov * Math.PI) / 360) + size.z * 0.4
    const usual = box.max.y + headHeight * above - tall / 2
    // A tall picture has its space above the head: below, the end of the body would be visible.
    const centre = Math.max(usual, feet + headHeight * 0.1 + seen / 2)
    camera.aspect = aspect
    camera.near = distance / 20
    camera.far = distance * 4
    camera.position.set(middle.x, centre + 0.04 * headHeight, middle.z + distance)
    camera.lookAt(middle.x, centre, middle.z)
    camera.updateProjectionMatrix()
  }
}

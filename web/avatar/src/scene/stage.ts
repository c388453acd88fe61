import {
  Box3,
  DirectionalLight,
  Group,
  HemisphereLight,
  NeutralToneMapping,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import { AvatarError } from '../avatar-load.js'

/** Soft, nearly white light: a hemisphere from above, a key light from the front, two lights from behind for the outline. */
const createLights = (): Group => {
  const lights = new Group()
  lights.add(new HemisphereLight(0xffffff, 0xd8c8bc, 2.1))
  const directed = (color: number, strength: number, x: number, y: number, z: number) => {
    const light = new DirectionalLight(color, strength)
    light.position.set(x, y, z)
    lights.add(light)
  }
  directed(0xfff6ec, 1.7, 1.2, 1.6, 2.6)
  directed(0xeaf2ff, 0.45, -2, 0.4, 1.6)
  directed(0xffffff, 1.5, -2.2, 1.6, -2)
  directed(0xfff0e0, 1.1, 2.4, 1.2, -1.8)
  return lights
}

/** Head and shoulders: the space above the head, and the part shown below it, in heights of the head. */
const above = 0.1
const below = 0.45
/** The narrowest picture contains the head and a margin. */
const widthOfHead = 1.22

/** Measures the model once, at rest. The returned function must be called when the aspect ratio changes. */
const createFraming = (model: Object3D, head: Object3D | undefined, camera: PerspectiveCamera) => {
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

const maxPixelRatio = 2
const simplePixelRatio = 1

/** The canvas in a container, with the lights and the camera for a model. */
export interface Stage {
  readonly canvas: HTMLCanvasElement
  /** False while the container has no size. */
  hasSize(): boolean
  render(): void
  /** Reduces the number of pixels. */
  simplify(): void
  close(): void
}

/** `onResized` is called later, after every change of the size, which clears the canvas. Throws `AvatarError` without WebGL. */
export const createStage = (
  container: HTMLElement,
  model: Object3D,
  { head, simple, onResized }: { head: Object3D | undefined; simple: boolean; onResized: () => void },
): Stage => {
  const renderer = createRenderer(!simple)
  let pixelRatioLimit = simple ? simplePixelRatio : maxPixelRatio
  renderer.toneMapping = NeutralToneMapping
  const canvas = renderer.domElement
  Object.assign(canvas.style, { display: 'block', width: '100%', height: '100%' })
  canvas.setAttribute('aria-hidden', 'true')
  container.append(canvas)

  const scene = new Scene().add(createLights(), model)
  const camera = new PerspectiveCamera(22)
  const frame = createFraming(model, head, camera)

  let hasSize = false
  const resize = () => {
    const { clientWidth: width, clientHeight: height } = container
    hasSize = width > 0 && height > 0
    if (hasSize) {
      renderer.setPixelRatio(Math.min(globalThis.devicePixelRatio || 1, pixelRatioLimit))
      renderer.setSize(width, height, false)
      frame(width / height)
    }
    onResized()
  }
  const observer = new ResizeObserver(resize)
  observer.observe(container)

  return {
    canvas,
    hasSize: () => hasSize,
    render: () => renderer.render(scene, camera),
    simplify() {
      pixelRatioLimit = simplePixelRatio
      resize()
    },
    close() {
      observer.disconnect()
      disposeOf(model)
      renderer.dispose()
      // Browsers allow few contexts, so this one is freed now and not by the garbage collector.
      renderer.forceContextLoss()
      canvas.remove()
    },
  }
}

const createRenderer = (antialias: boolean): WebGLRenderer => {
  try {
    return new WebGLRenderer({ antialias, alpha: true })
  } catch (cause) {
    throw new AvatarError('webgl_unavailable', 'This browser has no WebGL, which the avatar needs.', { cause })
  }
}

const disposeOf = (model: Object3D): void => {
  model.traverse((object) => {
    const { geometry, material } = object as { geometry?: { dispose(): void }; material?: { dispose(): void } }
    geometry?.dispose()
    material?.dispose()
  })
}

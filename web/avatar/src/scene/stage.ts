import { NeutralToneMapping, type Object3D, PerspectiveCamera, Scene, WebGLRenderer } from 'three'
import { AvatarError } from '../avatar-load.js'
import { createFraming } from './framing.js'
import { createLights } from './lights.js'

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

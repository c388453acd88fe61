import type { Object3D } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { AvatarError } from './avatar-load.js'
import type { AvatarRecord } from './avatar-record.js'
import { createIdleMotion, type IdlePose } from './motion/idle-motion.js'
import { createMouth } from './motion/mouth.js'
import { createFaceControls, createJoints } from './scene/face-controls.js'
import { createFramePace } from './scene/frame-pace.js'
import { useSimplerMaterials } from './scene/simpler-materials.js'
import { createStage } from './scene/stage.js'
import type { SpeechClock } from './speech-clock.js'

/** Parses a GLB file, which must contain everything that it needs. Resolves with its scene. */
const parseModel = async (bytes: Uint8Array<ArrayBuffer>): Promise<Object3D> => {
  try {
    const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
    return (await new GLTFLoader().parseAsync(whole, '')).scene
  } catch (cause) {
    throw new AvatarError(
      'invalid_model',
      `The avatar is not a GLB file that can be shown: ${(cause as Error).message}`,
      {
        cause,
      },
    )
  }
}

/** The weight of each morph target, from the mouth and from the idle motion. */
const shownMorphs = (
  avatar: Pick<AvatarRecord, 'viseme_morph_targets' | 'expression_morph_targets'>,
  mouth: ReadonlyMap<string, number>,
  { blink, browsUp, smile }: IdlePose,
): Map<string, number> => {
  const morphs = new Map<string, number>()
  const show = (target: string | undefined, weight: number) => {
    if (target !== undefined && weight > 0) morphs.set(target, Math.min(1, (morphs.get(target) ?? 0) + weight))
  }
  let busy = 0
  for (const [viseme, weight] of mouth) {
    show(avatar.viseme_morph_targets[viseme], weight)
    busy = Math.min(1, busy + weight)
  }
  const { blink_left, blink_right, smile: smiling, brows_up } = avatar.expression_morph_targets
  show(blink_left, blink)
  show(blink_right, blink)
  // Lips cannot smile while they are closed.
  show(smiling, smile * (1 - 0.8 * busy))
  show(brows_up, browsUp)
  return morphs
}

export interface TalkingHeadOptions {
  readonly avatar: AvatarRecord
  readonly speech: SpeechClock
  readonly quality: 'auto' | 'low'
  /** Called after each frame with the weight of each morph target. */
  readonly onFrame: ((morphs: ReadonlyMap<string, number>) => void) | undefined
}

/**
 * Shows and animates a model until it is closed. Frames are rendered while the container has a size, the page is visible
 * and the WebGL context is not lost. Rejects with an `AvatarError`.
 */
export const openTalkingHead = async (
  container: HTMLElement,
  bytes: Uint8Array<ArrayBuffer>,
  { avatar, speech, quality, onFrame }: TalkingHeadOptions,
): Promise<{ close(): void }> => {
  const model = await parseModel(bytes)
  const face = createFaceControls(model)
  const lessMotion = matchMedia('(prefers-reduced-motion: reduce)')
  const idle = createIdleMotion({ still: () => lessMotion.matches, random: Math.random })
  const mouth = createMouth(speech)
  const move = createJoints(face)
  const startedMs = performance.now()

  let frameId: number | undefined
  let lost = false
  const draw = () => {
    const nowMs = performance.now() - startedMs
    const { isSpeaking, weights } = mouth(nowMs)
    const motion = idle(nowMs, isSpeaking)
    face.setMorphs(shownMorphs(avatar, weights, motion))
    move(motion)
    stage.render()
    onFrame?.(face.morphs())
  }
  const pace = createFramePace(() => {
    useSimplerMaterials(model)
    stage.simplify()
  })
  const tick = (atMs: number) => {
    frameId = requestAnimationFrame(tick)
    pace.frame(atMs)
    draw()
  }
  const updateLoop = () => {
    const shouldRun = !lost && stage.hasSize() && document.visibilityState !== 'hidden'
    if (shouldRun && frameId === undefined) {
      pace.resume()
      frameId = requestAnimationFrame(tick)
    }
    if (!shouldRun && frameId !== undefined) {
      cancelAnimationFrame(frameId)
      frameId = undefined
    }
  }

  if (quality === 'low') useSimplerMaterials(model)
  const stage = createStage(container, model, {
    head: face.head,
    simple: quality === 'low',
    onResized() {
      updateLoop()
      // In the same task, so that the browser never shows the cleared canvas.
      if (frameId !== undefined) draw()
    },
  })
  const onLost = (event: Event) => {
    // Allows the browser to restore the context. three.js then uploads everything again.
    event.preventDefault()
    lost = true
    updateLoop()
  }
  const onRestored = () => {
    lost = false
    updateLoop()
  }
  stage.canvas.addEventListener('webglcontextlost', onLost)
  stage.canvas.addEventListener('webglcontextrestored', onRestored)
  document.addEventListener('visibilitychange', updateLoop)

  return {
    close() {
      lost = true
      updateLoop()
      document.removeEventListener('visibilitychange', updateLoop)
      stage.canvas.removeEventListener('webglcontextlost', onLost)
      stage.canvas.removeEventListener('webglcontextrestored', onRestored)
      stage.close()
    },
  }
}

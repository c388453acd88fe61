import type { AvatarRecord } from './avatar-record.js'
import { parseModel } from './loading/parse-model.js'
import { createIdleMotion } from './motion/idle-motion.js'
import { createMouth } from './motion/mouth.js'
import { shownMorphs } from './motion/shown-morphs.js'
import { createFaceControls } from './scene/face-controls.js'
import { createFramePace } from './scene/frame-pace.js'
import { createJoints } from './scene/joints.js'
import { useSimplerMaterials } from './scene/simpler-materials.js'
import { createStage } from './scene/stage.js'
import type { SpeechClock } from './speech-clock.js'

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

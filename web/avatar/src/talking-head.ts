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
  /** After each frame drawn: what the face shows, by morph target. */
  readonly onFrame: ((morphs: ReadonlyMap<string, number>) => void) | undefined
}

/**
 * Shows a model and keeps it alive until it is closed. Frames are drawn while the container has a size, the page is
 * seen and the graphics card serves us; a lost card is waited for. Rejects with an `AvatarError`.
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
  const goOn = () => {
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
      goOn()
      // In the same turn, or the empty canvas would be seen.
      if (frameId !== undefined) draw()
    },
  })
  const onLost = (event: Event) => {
    // Says that we can go on when it comes back; three.js then uploads everything anew.
    event.preventDefault()
    lost = true
    goOn()
  }
  const onRestored = () => {
    lost = false
    goOn()
  }
  stage.canvas.addEventListener('webglcontextlost', onLost)
  stage.canvas.addEventListener('webglcontextrestored', onRestored)
  document.addEventListener('visibilitychange', goOn)

  return {
    close() {
      lost = true
      goOn()
      document.removeEventListener('visibilitychange', goOn)
      stage.canvas.removeEventListener('webglcontextlost', onLost)
      stage.canvas.removeEventListener('webglcontextrestored', onRestored)
      stage.close()
    },
  }
}

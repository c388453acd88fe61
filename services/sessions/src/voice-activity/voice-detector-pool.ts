import type { OpenVoiceDetector, VoiceDetector } from './voice-detector.js'

export interface VoiceDetectorPool {
  readonly open: OpenVoiceDetector
  close(): void
}

/** So many conversations may begin before one more has been made. */
const ready = 4

/**
 * Hands out detectors that were made ahead, and takes them back: making one holds up everything else in the process for some
 * hundredths of a second.
 */
export const createVoiceDetectorPool = (make: OpenVoiceDetector): VoiceDetectorPool => {
  const idle: VoiceDetector[] = Array.from({ length: ready }, make)
  let making: NodeJS.Immediate | undefined
  let closed = false

  const makeOneMore = (): void => {
    if (making !== undefined || closed || idle.length > ready / 2) return
    making = setImmediate(() => {
      making = undefined
      idle.push(make())
      makeOneMore()
    })
  }

  return {
    open() {
      const detector = idle.pop() ?? make()
      makeOneMore()
      let given = true
      return {
        hears: (frame) => detector.hears(frame),
        reset: () => detector.reset(),
        close() {
          if (!given) return
          given = false
          if (closed) return detector.close()
          detector.reset()
          idle.push(detector)
        },
      }
    },
    close() {
      closed = true
      clearImmediate(making)
      for (const detector of idle.splice(0)) detector.close()
    },
  }
}

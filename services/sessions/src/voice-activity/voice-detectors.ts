import type { OpenVoiceDetector, VoiceDetector } from './voice-detector.js'

/** Detectors that are used again: one takes tens of ms to open, in which the event loop stands still, and some 8 MB. */
export interface VoiceDetectors {
  /** One that was closed before, as if it were new; a new one where there is none. */
  readonly open: OpenVoiceDetector
  close(): void
}

/** `ready` are opened at once; not more than `most` are kept. */
export const createVoiceDetectors = (
  openOne: OpenVoiceDetector,
  { ready = 1, most = 64 }: { readonly ready?: number; readonly most?: number } = {},
): VoiceDetectors => {
  const kept: VoiceDetector[] = Array.from({ length: ready }, openOne)

  const lend = (detector: VoiceDetector): VoiceDetector => {
    let closed = false
    return {
      hears: (frame) => !closed && detector.hears(frame),
      reset: () => {
        if (!closed) detector.reset()
      },
      close: () => {
        if (closed) return
        closed = true
        if (kept.length >= most) return detector.close()
        detector.reset()
        kept.push(detector)
      },
    }
  }

  return {
    open: () => lend(kept.pop() ?? openOne()),
    close: () => {
      for (const detector of kept.splice(0)) detector.close()
    },
  }
}

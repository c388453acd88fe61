/**
 * Where the Agent is heard.
 *
 * - Browsers let a page be heard from within a click, and remember it for the very element that played then: so there is one for
 *   all sessions, and `unlock` plays it, silent, before anything is awaited.
 * - It is an element and not a graph of Web Audio, for only what an element plays is cancelled from the microphone everywhere.
 */
import { ParlanceError } from './parlance-error.js'

export interface Speaker {
  /** To be called from within a click. */
  unlock(): void
  /** Resolves to whether it can be heard. */
  play(track: MediaStreamTrack): Promise<boolean>
  /** Again, after it could not. */
  resume(): Promise<boolean>
  setVolume(volume: number): void
  /** Rejects with a `ParlanceError`. */
  setDevice(id: string): Promise<void>
  /** Of the hardware, beneath what the page knows of. */
  latencyMs(): number
  /** While it is unlocked. For what measures. */
  context(): AudioContext | undefined
  /** Falls silent, and lets go of the hardware. */
  close(): void
}

export const createSpeaker = (): Speaker => {
  let element: HTMLAudioElement | undefined
  let context: AudioContext | undefined
  let volume = 1

  const open = (): HTMLAudioElement => {
    element ??= new Audio()
    element.volume = volume
    return element
  }

  const start = async (): Promise<boolean> => {
    // The one is allowed when the other is.
    void context?.resume().catch(() => {})
    try {
      await open().play()
      return true
    } catch (error) {
      return !(error instanceof Error && error.name === 'NotAllowedError')
    }
  }

  return {
    unlock() {
      const { srcObject } = open()
      if (srcObject === null) open().srcObject = new MediaStream()
      context ??= new AudioContext()
      void start()
    },
    play(track) {
      open().srcObject = new MediaStream([track])
      return start()
    },
    resume: start,
    setVolume(value) {
      volume = value
      if (element !== undefined) element.volume = value
    },
    async setDevice(id) {
      const own = open()
      if (!('setSinkId' in own)) throw new ParlanceError('unsupported', 'This browser chooses the speaker itself.')
      await own.setSinkId(id).catch((cause: unknown) => {
        throw new ParlanceError('device_not_found', 'There is no such speaker, or it is not allowed.', { cause })
      })
    },
    latencyMs: () => (context?.outputLatency ?? 0) * 1000,
    context: () => context,
    close() {
      if (element !== undefined) element.srcObject = null
      void context?.close().catch(() => {})
      context = undefined
    },
  }
}

/**
 * Plays the audio of the Agent.
 *
 * - Browsers let a page start audio within a click, and remember that for the element that was played. So all sessions
 *   share one element, and `unlock` plays it silently before the first `await`.
 * - An element plays, not a Web Audio graph: not every browser cancels the echo of a graph.
 */
import { ParlanceError } from './parlance-error.js'

export interface AgentPlayer {
  /** Must be called within a click. */
  unlock(): void
  /** Resolves with whether the browser allows playback. */
  play(track: MediaStreamTrack): Promise<boolean>
  /** Tries again after the browser did not allow playback. */
  resume(): Promise<boolean>
  setVolume(volume: number): void
  /** Rejects with a `ParlanceError`. */
  setDevice(id: string): Promise<void>
  /** The output latency of the hardware. */
  latencyMs(): number
  /** Defined while unlocked. It runs once the browser allows playback. */
  context(): AudioContext | undefined
  /** Stops playback and frees the hardware. */
  close(): void
}

/** `contextOptions` are those of the audio context. */
export const createAgentPlayer = (contextOptions?: AudioContextOptions): AgentPlayer => {
  let element: HTMLAudioElement | undefined
  let context: AudioContext | undefined
  let volume = 1

  const open = (): HTMLAudioElement => {
    element ??= new Audio()
    element.volume = volume
    return element
  }

  const start = async (): Promise<boolean> => {
    // Browsers allow the context and the element together.
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
      context ??= new AudioContext(contextOptions)
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

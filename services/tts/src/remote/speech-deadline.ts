import { RemoteFailure } from './remote-failure.js'

export interface SpeechDeadlineOptions {
  /** Aborted when the speech is no longer wanted. */
  readonly unwanted: AbortSignal
  /** The limit for the first audio. */
  readonly firstMs: number
  /** The limit between two pieces of audio. */
  readonly idleMs: number
  /** The limit for the end. */
  readonly totalMs: number
}

export interface SpeechDeadline {
  /** Aborted with the reason for which the attempt ends. */
  readonly signal: AbortSignal
  /** Audio was received. */
  received(): void
  giveUp(reason: unknown): void
  clear(): void
}

/** Ends an attempt that begins too late, pauses too long or takes too long. */
export const createSpeechDeadline = ({ unwanted, firstMs, idleMs, totalMs }: SpeechDeadlineOptions): SpeechDeadline => {
  const controller = new AbortController()
  const giveUp = (reason: unknown) => controller.abort(reason)
  const tooLate = (ms: number, what: string) =>
    setTimeout(() => giveUp(new RemoteFailure('silent', what)), Math.max(0, ms))
  const cancel = () => giveUp(unwanted.reason)

  let silence = tooLate(firstMs, 'the server did not begin to answer in time')
  const end = tooLate(totalMs, 'the server did not finish in time')
  let begun = false
  unwanted.addEventListener('abort', cancel, { once: true })
  if (unwanted.aborted) cancel()

  return {
    signal: controller.signal,
    received() {
      if (begun) return void silence.refresh()
      begun = true
      clearTimeout(silence)
      silence = tooLate(idleMs, 'the server stopped sending')
    },
    giveUp,
    clear() {
      clearTimeout(silence)
      clearTimeout(end)
      unwanted.removeEventListener('abort', cancel)
    },
  }
}

import { RemoteFailure } from './remote-failure.js'

export interface SpeechDeadlineOptions {
  /** Aborted when nobody wants the speech any more. */
  readonly unwanted: AbortSignal
  /** Until the first of it. */
  readonly firstMs: number
  /** From each piece to the next. */
  readonly idleMs: number
  /** Until its end. */
  readonly totalMs: number
}

export interface SpeechDeadline {
  /** Aborted with the reason why there is no use in going on. */
  readonly signal: AbortSignal
  heard(): void
  giveUp(reason: unknown): void
  clear(): void
}

/** Ends one attempt at speech that begins too late, falls silent or goes on for too long. */
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
    heard() {
      if (begun) return void silence.refresh()
      begun = true
      clearTimeout(silence)
      silence = tooLate(idleMs, 'the server fell silent')
    },
    giveUp,
    clear() {
      clearTimeout(silence)
      clearTimeout(end)
      unwanted.removeEventListener('abort', cancel)
    },
  }
}

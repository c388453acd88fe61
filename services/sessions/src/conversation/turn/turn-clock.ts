import type { TurnMetrics } from '@parlance/contracts'
import { roundToTenth } from '@parlance/speech'

/** The moments of a turn that are measured, in their usual order. */
export type TurnMoment =
  /** The user's turn was judged to be over. */
  | 'ended'
  /** The text of the user's turn was complete. */
  | 'recognized'
  /** The request was sent to the language model. */
  | 'requested'
  | 'first-text'
  /** The first segment was ready for the voice. */
  | 'first-segment'
  | 'first-audio'

/** Measures the parts of one turn. */
export interface TurnClock {
  /** Only the first call for a moment counts. */
  mark(moment: TurnMoment): void
  metrics(): TurnMetrics
}

/** `endpointingMs` is how long the user had been silent when the turn was judged to be over; null for push-to-talk and text. */
export const createTurnClock = (endpointingMs: number | null = null): TurnClock => {
  const moments = new Map<TurnMoment, number>()

  const between = (from: TurnMoment, to: TurnMoment): number | null => {
    const fromMs = moments.get(from)
    const toMs = moments.get(to)
    return fromMs === undefined || toMs === undefined ? null : Math.max(0, roundToTenth(toMs - fromMs))
  }

  return {
    mark(moment) {
      if (!moments.has(moment)) moments.set(moment, performance.now())
    },
    metrics() {
      const sinceEnd = between('ended', 'first-audio')
      return {
        endpointing_ms: endpointingMs === null ? null : roundToTenth(endpointingMs),
        stt_ms: between('ended', 'recognized'),
        llm_ttft_ms: between('requested', 'first-text'),
        tts_ttfa_ms: between('first-segment', 'first-audio'),
        voice_to_voice_ms: sinceEnd === null ? null : roundToTenth(sinceEnd + (endpointingMs ?? 0)),
      }
    },
  }
}

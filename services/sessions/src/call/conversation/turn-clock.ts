import type { TurnMetrics } from '@parlance/contracts'

/** What is measured of a turn, in the order in which it usually comes to pass. */
export type TurnMoment =
  /** The user's turn was decided to be over. */
  | 'ended'
  | 'understood'
  /** The language model was asked. */
  | 'asked'
  | 'first-text'
  /** There was first something that could be spoken. */
  | 'speakable'
  | 'first-audio'

/** Measures how long the parts of one turn take. */
export interface TurnClock {
  /** Only the first counts. */
  mark(moment: TurnMoment): void
  metrics(): TurnMetrics
}

/** `endpointingMs` is how long the user had been silent when he was taken to have ended; null where he said so himself. */
export const createTurnClock = (endpointingMs: number | null = null): TurnClock => {
  const moments = new Map<TurnMoment, number>()

  const between = (from: TurnMoment, to: TurnMoment): number | null => {
    const fromMs = moments.get(from)
    const toMs = moments.get(to)
    return fromMs === undefined || toMs === undefined ? null : Math.max(0, round(toMs - fromMs))
  }

  return {
    mark(moment) {
      if (!moments.has(moment)) moments.set(moment, performance.now())
    },
    metrics() {
      const sinceEnd = between('ended', 'first-audio')
      return {
        endpointing_ms: endpointingMs === null ? null : round(endpointingMs),
        stt_ms: between('ended', 'understood'),
        llm_ttft_ms: between('asked', 'first-text'),
        tts_ttfa_ms: between('speakable', 'first-audio'),
        voice_to_voice_ms: sinceEnd === null ? null : round(sinceEnd + (endpointingMs ?? 0)),
      }
    },
  }
}

const round = (ms: number): number => Math.round(ms * 10) / 10

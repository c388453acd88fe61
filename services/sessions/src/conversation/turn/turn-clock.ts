import type { TurnMetrics } from '@parlance/contracts'
import { roundToTenth } from '@parlance/speech'

/** The moments of a turn that are measured. A reply that is prepared is requested before the user's turn is over. */
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
  /** The first audio of the reply was synthesized. */
  | 'first-audio'
  /** The playback of the reply began. */
  | 'played'

/** Measures the parts of one turn. */
export interface TurnClock {
  /** Only the first call for a moment counts. */
  mark(moment: TurnMoment): void
  /** The reply that this clock has measured so far answers the user's turn that `turn` has measured. */
  commit(turn: TurnClock): void
  metrics(speculation: TurnMetrics['speculation']): TurnMetrics
  readonly moments: ReadonlyMap<TurnMoment, number>
  /** How long the user had been silent when the turn was judged to be over; null for push-to-talk and text. */
  readonly endpointingMs: number | null
}

export const createTurnClock = (userEndpointingMs: number | null = null): TurnClock => {
  const moments = new Map<TurnMoment, number>()
  let endpointingMs = userEndpointingMs
  let preparedMs: number | null = null

  const between = (from: TurnMoment, to: TurnMoment): number | null => {
    const fromMs = moments.get(from)
    const toMs = moments.get(to)
    return fromMs === undefined || toMs === undefined ? null : Math.max(0, roundToTenth(toMs - fromMs))
  }

  return {
    moments,
    get endpointingMs() {
      return endpointingMs
    },
    mark(moment) {
      if (!moments.has(moment)) moments.set(moment, performance.now())
    },
    commit(turn) {
      endpointingMs = turn.endpointingMs
      for (const [moment, atMs] of turn.moments) moments.set(moment, atMs)
      preparedMs = roundToTenth(performance.now() - moments.get('requested')!)
    },
    metrics(speculation) {
      const sinceEnd = between('ended', 'played')
      return {
        endpointing_ms: endpointingMs === null ? null : roundToTenth(endpointingMs),
        stt_ms: between('ended', 'recognized'),
        llm_ttft_ms: between('requested', 'first-text'),
        tts_ttfa_ms: between('first-segment', 'first-audio'),
        voice_to_voice_ms: sinceEnd === null ? null : roundToTenth(sinceEnd + (endpointingMs ?? 0)),
        prepared_ms: preparedMs,
        speculation,
      }
    },
  }
}

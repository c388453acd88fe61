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

/** The moments of one turn, and what a prepared reply adds to them when it is committed. */
export class TurnClock {
  readonly #moments = new Map<TurnMoment, number>()
  #endpointingMs: number | null
  #preparedMs: number | null = null

  /** `endpointingMs` is how long the user had been silent when the turn was judged to be over; null for push-to-talk and text. */
  constructor(endpointingMs: number | null = null) {
    this.#endpointingMs = endpointingMs
  }

  /** Only the first call for a moment counts. */
  mark(moment: TurnMoment): void {
    if (!this.#moments.has(moment)) this.#moments.set(moment, performance.now())
  }

  /** The reply that this clock has measured so far answers the user's turn that `turn` has measured. */
  commit(turn: TurnClock): void {
    this.#endpointingMs = turn.#endpointingMs
    for (const [moment, atMs] of turn.#moments) this.#moments.set(moment, atMs)
    this.#preparedMs = roundToTenth(performance.now() - this.#moments.get('requested')!)
  }

  metrics(speculation: TurnMetrics['speculation']): TurnMetrics {
    const sinceEnd = this.#between('ended', 'played')
    return {
      endpointing_ms: this.#endpointingMs === null ? null : roundToTenth(this.#endpointingMs),
      stt_ms: this.#between('ended', 'recognized'),
      llm_ttft_ms: this.#between('requested', 'first-text'),
      tts_ttfa_ms: this.#between('first-segment', 'first-audio'),
      voice_to_voice_ms: sinceEnd === null ? null : roundToTenth(sinceEnd + (this.#endpointingMs ?? 0)),
      prepared_ms: this.#preparedMs,
      speculation,
    }
  }

  #between(from: TurnMoment, to: TurnMoment): number | null {
    const fromMs = this.#moments.get(from)
    const toMs = this.#moments.get(to)
    return fromMs === undefined || toMs === undefined ? null : Math.max(0, roundToTenth(toMs - fromMs))
  }
}

import type { Turn } from './conversation-queries.js'

interface TurnStage {
  readonly label: string
  /** From the user's last word. */
  readonly startMs: number
  readonly ms: number
  /** A color of the theme. */
  readonly color: string
  /** It ran while the stages before it did. */
  readonly isPrepared?: true
}

/** The total time without these parts. */
const restOf = ({ voice_to_voice_ms: totalMs }: Turn, ...parts: readonly (number | null)[]): number | null =>
  totalMs === null ? null : totalMs - parts.reduce<number>((sum, ms) => sum + (ms ?? 0), 0)

/**
 * The stages of a turn, from the user's last word to the Agent's first, without those that the turn did not have. Between the
 * model's first word and the speech is mostly its first sentence, which is spoken when it is complete. A prepared reply was begun
 * during the stages before it; the rest of it follows them.
 */
export const stagesOf = (turn: Turn): readonly TurnStage[] => {
  const { endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, prepared_ms, speculation } = turn
  const reply =
    speculation === 'hit'
      ? [
          { label: 'Prepared', ms: prepared_ms, color: 'indigo', isPrepared: true as const },
          { label: 'Rest of the reply', ms: restOf(turn, endpointing_ms, stt_ms), color: 'indigo' },
        ]
      : [
          { label: 'Model', ms: llm_ttft_ms, color: 'indigo' },
          {
            label: 'First sentence',
            ms: restOf(turn, endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms),
            color: 'grape',
          },
          { label: 'Speech', ms: tts_ttfa_ms, color: 'teal' },
        ]
  let endMs = 0
  return [
    { label: 'End of turn', ms: endpointing_ms, color: 'gray' },
    { label: 'Recognition', ms: stt_ms, color: 'cyan' },
    ...reply,
  ].flatMap((stage) => {
    const { ms } = stage
    if (ms === null || ms <= 0) return []
    if ('isPrepared' in stage) return [{ ...stage, ms, startMs: Math.max(0, endMs - ms) }]
    const startMs = endMs
    endMs += ms
    return [{ ...stage, ms, startMs }]
  })
}

/** From the user's last word to the Agent's first; of a typed message, the sum of its stages. */
export const durationOf = (turn: Turn): number =>
  turn.voice_to_voice_ms ?? Math.max(0, ...stagesOf(turn).map(({ startMs, ms }) => startMs + ms))

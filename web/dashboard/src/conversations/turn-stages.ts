import { formatMs } from '../shared/quantities.js'
import type { Turn } from './conversation-queries.js'

export interface TurnStage {
  readonly label: string
  readonly ms: number
  /** A color of the theme. */
  readonly color: string
}

/** The total time without these parts. */
const restOf = ({ voice_to_voice_ms: totalMs }: Turn, ...parts: readonly (number | null)[]): number | null =>
  totalMs === null ? null : totalMs - parts.reduce<number>((sum, ms) => sum + (ms ?? 0), 0)

/**
 * The stages of a turn, from the user's last word to the Agent's first, without those that the turn did not have. Between the
 * model's first word and the speech is mostly its first sentence, which is spoken when it is complete. The model and the speech
 * of a prepared reply run during the stages before them, so that only their rest is a stage.
 */
export const stagesOf = (turn: Turn): readonly TurnStage[] => {
  const { endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms } = turn
  const reply =
    turn.speculation === 'hit'
      ? [{ label: 'Rest of the reply', ms: restOf(turn, endpointing_ms, stt_ms), color: 'indigo' }]
      : [
          { label: 'Model', ms: llm_ttft_ms, color: 'indigo' },
          {
            label: 'First sentence',
            ms: restOf(turn, endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms),
            color: 'grape',
          },
          { label: 'Speech', ms: tts_ttfa_ms, color: 'teal' },
        ]
  return [
    { label: 'End of turn', ms: endpointing_ms, color: 'gray' },
    { label: 'Recognition', ms: stt_ms, color: 'cyan' },
    ...reply,
  ].filter((stage): stage is TurnStage => stage.ms !== null && stage.ms > 0)
}

/** What became of a reply that was prepared while the user paused; undefined where none was. */
export const preparationOf = ({ speculation, prepared_ms }: Turn): string | undefined => {
  if (speculation === 'none') return undefined
  return speculation === 'hit' ? `Reply prepared ${formatMs(prepared_ms ?? 0)} ahead` : 'Prepared reply not used'
}

/** From the user's last word to the Agent's first; of a typed message, the sum of its stages. */
export const durationOf = (turn: Turn): number =>
  turn.voice_to_voice_ms ?? stagesOf(turn).reduce((sum, { ms }) => sum + ms, 0)

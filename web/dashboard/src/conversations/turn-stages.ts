import type { Turn } from './conversation-queries.js'

export interface TurnStage {
  readonly label: string
  readonly ms: number
  /** A color of the theme. */
  readonly color: string
}

/** The rest of the total time: mostly the model's first sentence, which is spoken when it is complete. */
const restOf = (turn: Turn): number | null => {
  const { endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms } = turn
  if (voice_to_voice_ms === null) return null
  const measured = [endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms].reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
  return voice_to_voice_ms - measured
}

/** The stages of a turn, from the user's last word to the Agent's first, without those that the turn did not have. */
export const stagesOf = (turn: Turn): readonly TurnStage[] =>
  [
    { label: 'End of turn', ms: turn.endpointing_ms, color: 'gray' },
    { label: 'Recognition', ms: turn.stt_ms, color: 'cyan' },
    { label: 'Model', ms: turn.llm_ttft_ms, color: 'indigo' },
    { label: 'First sentence', ms: restOf(turn), color: 'grape' },
    { label: 'Speech', ms: turn.tts_ttfa_ms, color: 'teal' },
  ].filter((stage): stage is TurnStage => stage.ms !== null && stage.ms > 0)

/** From the user's last word to the Agent's first; of a typed message, the sum of its stages. */
export const durationOf = (turn: Turn): number =>
  turn.voice_to_voice_ms ?? stagesOf(turn).reduce((sum, { ms }) => sum + ms, 0)

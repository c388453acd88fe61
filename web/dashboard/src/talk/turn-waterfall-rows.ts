import type { TurnMetrics } from '@parlance/client'

/** One line of the waterfall of a turn. */
export interface WaterfallRow {
  /** Names the part of a turn. */
  readonly id: 'endpointing' | 'recognition' | 'first-text' | 'first-audio' | 'voice-to-voice'
  readonly label: string
  readonly explanation: string
  /** Null when the turn did not have the part. */
  readonly ms: number | null
  /** Where the part begins, and how long it is, as shares of the whole turn. */
  readonly startShare: number
  readonly share: number
}

const parts = [
  {
    id: 'endpointing',
    label: 'End of turn',
    name: 'endpointing_ms',
    explanation: 'until your turn is taken to be over',
  },
  { id: 'recognition', label: 'Recognition', name: 'stt_ms', explanation: 'until the text of your turn is final' },
  { id: 'first-text', label: 'Language model', name: 'llm_ttft_ms', explanation: 'until its first text' },
  { id: 'first-audio', label: 'Speech', name: 'tts_ttfa_ms', explanation: 'until its first sound' },
] as const

const sumOf = (turn: TurnMetrics, until: number = parts.length): number =>
  parts.slice(0, until).reduce((sum, { name }) => sum + (turn[name] ?? 0), 0)

/**
 * The parts of a turn, one after the other, and the whole. Speech ends with the turn: what is between it and the first text is
 * the rest of the first sentence, which is spoken when it is complete.
 */
export const waterfallOf = (turn: TurnMetrics): readonly WaterfallRow[] => {
  const wholeMs = Math.max(turn.voice_to_voice_ms ?? 0, sumOf(turn), 1)
  const rows = parts.map(({ id, label, name, explanation }, index): WaterfallRow => {
    const ms = turn[name]
    const lengthMs = ms ?? 0
    const startMs = id === 'first-audio' ? wholeMs - lengthMs : sumOf(turn, index)
    return { id, label, explanation, ms, startShare: ms === null ? 0 : startMs / wholeMs, share: lengthMs / wholeMs }
  })
  const { voice_to_voice_ms: ms } = turn
  return [
    ...rows,
    {
      id: 'voice-to-voice',
      label: 'Voice to voice',
      explanation: 'from your last word to the Agent’s first sound',
      ms,
      startShare: 0,
      share: (ms ?? 0) / wholeMs,
    },
  ]
}

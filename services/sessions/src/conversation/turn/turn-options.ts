import type { AgentConfig } from '@parlance/contracts'

/** What stays the same throughout a conversation. */
export interface TurnOptions {
  readonly inputMode: 'push-to-talk' | 'automatic'
  /** The language that the user speaks, a BCP 47 tag. */
  readonly language: string
  readonly turnConfig: AgentConfig['turn_config']
  readonly firstMessageInterruptible: boolean
  readonly silenceTimeoutMs: number
  /** Whether a detector can be asked if a turn sounds complete. */
  readonly detectsTurns: boolean
  /** Whether the recognizer reports the ends of turns, which then decides instead of words and detector. */
  readonly recognizerEndsTurns?: boolean | undefined
}

export const turnOptionsOf = (
  config: AgentConfig,
  found: Pick<TurnOptions, 'inputMode' | 'detectsTurns' | 'recognizerEndsTurns'>,
): TurnOptions => ({
  ...found,
  language: config.stt_config.language,
  turnConfig: config.turn_config,
  firstMessageInterruptible: config.first_message_interruptible,
  silenceTimeoutMs: config.session_config.silence_timeout_seconds * 1000,
})

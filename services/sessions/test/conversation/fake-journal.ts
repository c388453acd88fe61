import type { EndReason, SessionMessage, SessionToolCall, SessionUsage, TurnMetrics } from '@parlance/contracts'
import type { ConversationJournal } from '../../src/conversation/conversation.js'

/** A journal, and what was written to it. */
export const createFakeJournal = () => {
  const kept = {
    started: 0,
    messages: [] as SessionMessage[],
    /** Messages in progress, each with the time at which it was kept. */
    progress: [] as { readonly message: SessionMessage; readonly atMs: number }[],
    toolCalls: [] as SessionToolCall[],
    turns: [] as TurnMetrics[],
    prepared: [] as ('used' | 'discarded')[],
    usage: { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0, tts_characters: 0 } as SessionUsage,
    endings: [] as EndReason[],
  }
  const journal: ConversationJournal = {
    started: () => void kept.started++,
    message: (message) => void kept.messages.push(message),
    progress: (message) => void kept.progress.push({ message, atMs: performance.now() }),
    turn: (metrics) => void kept.turns.push(metrics),
    prepared: (outcome) => void kept.prepared.push(outcome),
    toolCall: (call) => void kept.toolCalls.push(call),
    used(usage) {
      for (const [name, amount] of Object.entries(usage)) kept.usage[name as keyof SessionUsage] += amount
    },
    ending: (reason) => void kept.endings.push(reason),
  }
  return { journal, kept }
}

import type { MessagePosition, SessionMessage } from '@parlance/contracts'
import { frameMs } from '../media/transport.js'

/** Where in the audio of a recording the messages of its conversation begin. */
export interface MessagePositions {
  /** The next 20 ms, from `atMs` on, with the agent's speech or without. */
  frame(atMs: number, isAgentSpeaking: boolean): void
  /**
   * A final message. `begunMs` is where the user's voice began, or where the agent's reply was requested: its position is that of
   * the first speech after that.
   */
  message(message: Pick<SessionMessage, 'id' | 'role'>, begunMs: number): void
  all(): readonly MessagePosition[]
}

export const createMessagePositions = (): MessagePositions => {
  const positions: MessagePosition[] = []
  /** The agent's speech since its last message. */
  let spans: { readonly startMs: number; endMs: number }[] = []

  const agentStartMs = (begunMs: number): number => {
    const first = spans.find(({ endMs }) => endMs > begunMs)
    spans = []
    return first === undefined ? begunMs : Math.max(first.startMs, begunMs)
  }

  return {
    frame(atMs, isAgentSpeaking) {
      if (!isAgentSpeaking) return
      const last = spans.at(-1)
      if (last?.endMs === atMs) last.endMs = atMs + frameMs
      else spans.push({ startMs: atMs, endMs: atMs + frameMs })
    },
    message({ id, role }, begunMs) {
      const startMs = role === 'agent' ? agentStartMs(begunMs) : begunMs
      positions.push({ message_id: id, start_ms: Math.round(startMs) })
    },
    all: () => positions,
  }
}

import { randomUUID } from 'node:crypto'
import type { SessionMessage, SessionServerEvent } from '@parlance/contracts'
import type { ChatMessage } from '../language-model/language-model.js'

/** What was said, as it is told to the peer, kept for the record, and given to the model. */
export interface Transcript {
  /** Final messages, oldest first. */
  readonly messages: readonly ChatMessage[]
  has(id: string): boolean
  /** A message that may still grow. Without an id it gets one of its own, which it keeps. */
  begin(role: SessionMessage['role'], id?: string): TranscriptEntry
}

export interface TranscriptEntry {
  readonly id: string
  /** All of the text so far. */
  grow(text: string): void
  /**
   * This is all of it; once. What comes to nothing is no message: it is taken back from a peer that was told of it, and never
   * mentioned to one that was not.
   */
  close(text: string, interrupted?: boolean): void
}

export interface TranscriptOptions {
  send(event: SessionServerEvent): void
  /** A final message. */
  keep(message: SessionMessage): void
}

export const createTranscript = ({ send, keep }: TranscriptOptions): Transcript => {
  const ids = new Set<string>()
  const messages: ChatMessage[] = []
  let lastMs = 0

  /** No two are the same: records are sorted by it. */
  const stamp = (): string => {
    lastMs = Math.max(Date.now(), lastMs + 1)
    return new Date(lastMs).toISOString()
  }

  return {
    messages,
    has: (id) => ids.has(id),
    begin(role, id = randomUUID()) {
      ids.add(id)
      // The agent's message is as old as its first word, the user's as what he was understood to say.
      const begunAt = role === 'agent' ? stamp() : undefined
      let told: string | undefined
      let closed = false

      return {
        id,
        grow(text) {
          if (closed || text === (told ?? '')) return
          told = text
          send({ event: 'transcript', id, role, text, final: false })
        },
        close(text, interrupted = false) {
          if (closed) return
          closed = true
          if (text === '' && told === undefined) return
          send({ event: 'transcript', id, role, text, final: true, ...(interrupted && { interrupted }) })
          if (text === '') return
          messages.push({ role, text })
          keep({ id, role, text, created_at: begunAt ?? stamp(), interrupted })
        },
      }
    },
  }
}

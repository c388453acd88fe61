import { randomUUID } from 'node:crypto'
import type { SessionMessage, SessionServerEvent } from '@parlance/contracts'
import type { ChatMessage } from '../../llm/language-model.js'
import type { TurnSteps } from './turn-steps.js'

/** What was said, as it is told to the peer, kept for the record, and given to the model. */
export interface Transcript {
  /** Final messages and what was called, oldest first. */
  readonly messages: readonly ChatMessage[]
  has(id: string): boolean
  /** A message that may still grow. */
  begin(role: SessionMessage['role'], options?: TranscriptEntryOptions): TranscriptEntry
}

export interface TranscriptEntryOptions {
  /** Without one it gets one of its own, which it keeps. */
  readonly id?: string
  /** What the agent does while it says it. */
  readonly steps?: Pick<TurnSteps, 'history' | 'sources'>
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
    begin(role, { id = randomUUID(), steps } = {}) {
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
          messages.push(...(steps?.history(text) ?? (text === '' ? [] : [{ role, text }])))
          if (text === '' && told === undefined) return
          send({ event: 'transcript', id, role, text, final: true, ...(interrupted && { interrupted }) })
          if (text === '') return
          const sources = steps?.sources() ?? []
          const created_at = begunAt ?? stamp()
          keep({ id, role, text, created_at, interrupted, ...(sources.length > 0 && { sources: [...sources] }) })
        },
      }
    },
  }
}

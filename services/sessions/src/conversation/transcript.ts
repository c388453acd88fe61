import { randomUUID } from 'node:crypto'
import type { SessionMessage, SessionServerEvent } from '@parlance/contracts'
import type { ChatMessage } from '../llm/language-model.js'
import type { TurnSteps } from './agent/turn-steps.js'
import type { ConversationJournal } from './conversation.js'

export interface TranscriptEntryOptions {
  /** Default: a new one. */
  readonly id?: string
  /** The tool calls that belong to the message. */
  readonly steps?: Pick<TurnSteps, 'history' | 'sources'>
}

interface TranscriptOptions {
  readonly journal: Pick<ConversationJournal, 'message' | 'progress'>
  send(event: SessionServerEvent): void
}

const withoutCalls = (message: ChatMessage): readonly ChatMessage[] => {
  if (message.role !== 'calls') return [message]
  const results = message.calls.map(({ name, result }) => `Result of ${name}: ${result}`)
  return [
    { role: 'agent', text: message.text },
    { role: 'context', text: results.join('\n') },
  ]
}

export type Transcript = ReturnType<typeof createTranscript>
export type TranscriptEntry = ReturnType<Transcript['begin']>

/** The messages of a conversation: for the client, the record and the model. */
export const createTranscript = ({ journal, send }: TranscriptOptions) => {
  const ids = new Set<string>()
  const messages: ChatMessage[] = []
  let lastMs = 0

  /** Never the same twice, since records are sorted by it. */
  const stamp = (): string => {
    lastMs = Math.max(Date.now(), lastMs + 1)
    return new Date(lastMs).toISOString()
  }

  return {
    /** Final messages and tool calls, oldest first. */
    messages: messages as readonly ChatMessage[],
    has: (id: string) => ids.has(id),
    /** Makes texts of the tool calls so far, for another Agent: providers of models refuse calls of tools that it does not have. */
    handOver() {
      messages.splice(0, messages.length, ...messages.flatMap(withoutCalls))
    },
    /** Begins a message whose text may still change. */
    begin(role: SessionMessage['role'], { id = randomUUID(), steps }: TranscriptEntryOptions = {}) {
      ids.add(id)
      // The agent's message has the time of its beginning, the user's the time of its final text.
      const begunAt = role === 'agent' ? stamp() : undefined
      const begunMs = performance.now()
      let sent: string | undefined
      let kept = ''
      let closed = false

      const messageOf = (text: string, interrupted: boolean): SessionMessage => {
        const sources = steps?.sources() ?? []
        const created_at = begunAt ?? stamp()
        return { id, role, text, created_at, interrupted, ...(sources.length > 0 && { sources: [...sources] }) }
      }

      return {
        id,
        /** Sets the whole text so far. */
        grow(text: string) {
          if (closed || text === (sent ?? '')) return
          sent = text
          send({ event: 'transcript', id, role, text, final: false })
        },
        /** Writes this part of the text to the record, as an interrupted message, until `close`. */
        keepSoFar(text: string) {
          if (closed || text === kept) return
          kept = text
          journal.progress(messageOf(text, true))
        },
        /**
         * Sets the final text. Later calls do nothing. A message without text is withdrawn from a client that was sent some of it,
         * and is not sent to any other.
         */
        close(text: string, interrupted = false) {
          if (closed) return
          closed = true
          messages.push(...(steps?.history(text) ?? (text === '' ? [] : [{ role, text }])))
          if (text === '' && sent === undefined) return
          send({ event: 'transcript', id, role, text, final: true, ...(interrupted && { interrupted }) })
          if (text !== '') journal.message(messageOf(text, interrupted), performance.now() - begunMs)
        },
      }
    },
  }
}

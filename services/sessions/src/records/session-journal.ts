/**
 * Writes the record of one conversation to the database.
 *
 * - Methods return at once. One write runs at a time, and later changes are in the next.
 * - A write that fails is repeated. Writes have whole values and positions, so nothing is counted twice.
 * - The record ends with or after the write of the last messages, so an ended record is complete.
 */
import {
  isFailure,
  type SessionMessage,
  type SessionStatus,
  type SessionToolCall,
  type TurnMetrics,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { ConversationEnd, ConversationJournal, StartSessionSpan } from '../conversation/conversation.js'
import { createCoalescingWriter } from './coalescing-writer.js'
import type { SessionRepository, SessionState } from './session-repository.js'
import type { Addition } from './transcript-repository.js'

/** Entries with positions from 0. The last ones are not written yet. */
const createAppendLog = <Entry>() => {
  const unwritten: Entry[] = []
  let firstPosition = 0
  return {
    push: (entry: Entry) => void unwritten.push(entry),
    /** The entries that are not written, and the position of the first. Later entries do not change it. */
    snapshot: (): Addition<Entry> => ({ firstPosition, items: unwritten.slice() }),
    /** Removes the entries of the snapshot, which are written. */
    written({ items }: Addition<Entry>) {
      unwritten.splice(0, items.length)
      firstPosition += items.length
    },
  }
}

interface SessionJournal extends Omit<ConversationJournal, 'message' | 'prepared'> {
  /** A final message. */
  message(message: SessionMessage): void
  /** Adds `characters` code points that were spoken and charged. */
  spoke(characters: number): void
  /** Resolves when the end is written, or could not be for half a minute. Never rejects. */
  finish(end: ConversationEnd): Promise<void>
}

interface SessionJournalOptions {
  readonly sessions: Pick<SessionRepository, 'write'>
  readonly workspaceId: string
  readonly sessionId: string
  /** Whether messages and tool calls are stored. */
  readonly storeTranscript: boolean
  /** Decimal text. */
  creditUsed(): string
  readonly logger: Logger
  readonly startSpan: StartSessionSpan
}

const collectMs = 250
const backoff = { firstMs: 250, maxMs: 4_000 }
const finishWithinMs = 30_000

export const createSessionJournal = (options: SessionJournalOptions): SessionJournal => {
  const { sessions, workspaceId, sessionId, storeTranscript, creditUsed, logger, startSpan } = options
  const usage = { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0, tts_characters: 0 }
  const messages = createAppendLog<SessionMessage>()
  const turns = createAppendLog<TurnMetrics>()
  const toolCalls = createAppendLog<SessionToolCall>()
  /** The message that is being spoken, if it has changed since it was written. */
  let inProgress: SessionMessage | null = null
  let status: SessionStatus = 'connecting'
  let startedAt: Date | null = null
  let end: (ConversationEnd & { at: Date }) | undefined

  const write = async (): Promise<void> => {
    const state: SessionState = {
      status,
      startedAt,
      endedAt: end?.at ?? null,
      endReason: end?.reason ?? null,
      error: end?.error ?? null,
      usage: { ...usage },
      creditUsed: creditUsed(),
    }
    const [newMessages, newTurns, newToolCalls] = [messages.snapshot(), turns.snapshot(), toolCalls.snapshot()]
    const newInProgress = inProgress
    await sessions.write(workspaceId, sessionId, state, {
      messages: { ...newMessages, inProgress: newInProgress },
      turns: newTurns,
      toolCalls: newToolCalls,
    })
    if (inProgress === newInProgress) inProgress = null
    messages.written(newMessages)
    turns.written(newTurns)
    toolCalls.written(newToolCalls)
  }

  const tracedWrite = async (): Promise<void> => {
    const span = startSpan('write conversation record')
    if (span === undefined) return write()
    await span.run(write).then(
      () => span.end(),
      (error: unknown) => {
        span.end(error)
        throw error
      },
    )
  }

  const { changed, finish } = createCoalescingWriter({ write: tracedWrite, collectMs, backoff, finishWithinMs })

  return {
    started() {
      if (startedAt !== null) return
      startedAt = new Date()
      if (status === 'connecting') status = 'active'
      changed()
    },
    message(message) {
      if (!storeTranscript) return
      if (inProgress?.id === message.id) inProgress = null
      messages.push(message)
      changed()
    },
    progress(message) {
      if (!storeTranscript) return
      inProgress = message
      changed()
    },
    turn(metrics) {
      turns.push(metrics)
      changed()
    },
    toolCall(call) {
      if (!storeTranscript) return
      toolCalls.push(call)
      changed()
    },
    // Characters of speech are counted when they are charged, see `spoke`.
    used({ stt_seconds = 0, llm_input_tokens = 0, llm_output_tokens = 0 }) {
      usage.stt_seconds += stt_seconds
      usage.llm_input_tokens += llm_input_tokens
      usage.llm_output_tokens += llm_output_tokens
      changed()
    },
    spoke(characters) {
      usage.tts_characters += characters
      changed()
    },
    ending() {
      status = 'ending'
      changed()
    },
    async finish(given) {
      end = { ...given, at: new Date() }
      status = isFailure(given.reason) ? 'failed' : 'ended'
      await finish().catch((err: unknown) => {
        logger.error({ sessionId, err }, 'The end of a conversation could not be written to its record')
      })
    },
  }
}

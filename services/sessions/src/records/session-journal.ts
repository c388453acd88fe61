/**
 * Writes the record of one conversation to the database.
 *
 * - Methods return at once. One write runs at a time, and what comes meanwhile is in the next.
 * - A write that fails is tried again with the same content. Writes have whole values and positions, so nothing counts twice.
 * - The last messages are in the write that ends the record, or in one before: an ended record is complete.
 */
import {
  isFailure,
  type SessionMessage,
  type SessionStatus,
  type SessionToolCall,
  type TurnMetrics,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { ConversationEnd, ConversationJournal } from '../conversation/conversation.js'
import type { StartSessionSpan } from '../start/session-trace.js'
import { createAppendLog } from './append-log.js'
import { createCoalescingWriter } from './coalescing-writer.js'
import type { SessionState } from './session-progress.js'
import type { SessionRepository } from './session-repository.js'

export interface SessionJournal extends Omit<ConversationJournal, 'message' | 'prepared'> {
  /** A final message. */
  message(message: SessionMessage): void
  /** Adds `characters` code points that were spoken and charged. */
  spoke(characters: number): void
  /** Resolves when the end is written, or could not be for half a minute. Never rejects. */
  finish(end: ConversationEnd): Promise<void>
}

export interface SessionJournalOptions {
  readonly sessions: Pick<SessionRepository, 'write'>
  readonly workspaceId: string
  readonly sessionId: string
  /** Whether messages and calls of tools are stored. */
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
  /** The message that is being spoken, where it has changed since it was written. */
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

  const { changed: change, finish } = createCoalescingWriter({ write: tracedWrite, collectMs, backoff, finishWithinMs })

  return {
    started() {
      if (startedAt !== null) return
      startedAt = new Date()
      if (status === 'connecting') status = 'active'
      change()
    },
    message(message) {
      if (!storeTranscript) return
      if (inProgress?.id === message.id) inProgress = null
      messages.push(message)
      change()
    },
    progress(message) {
      if (!storeTranscript) return
      inProgress = message
      change()
    },
    turn(metrics) {
      turns.push(metrics)
      change()
    },
    toolCall(call) {
      if (!storeTranscript) return
      toolCalls.push(call)
      change()
    },
    // Characters of speech are counted when they are charged, see `spoke`.
    used({ stt_seconds = 0, llm_input_tokens = 0, llm_output_tokens = 0 }) {
      usage.stt_seconds += stt_seconds
      usage.llm_input_tokens += llm_input_tokens
      usage.llm_output_tokens += llm_output_tokens
      change()
    },
    spoke(characters) {
      usage.tts_characters += characters
      change()
    },
    ending() {
      status = 'ending'
      change()
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

/**
 * Analyzes conversations that have ended: each instance takes due analyses from the database.
 *
 * - An attempt that does not end in time is repeated by any instance.
 * - A failure of the model is retried. The last failure is stored.
 */
import { randomUUID } from 'node:crypto'
import { backoffMs, createPendingWork, createSemaphore } from '@parlance/async'
import type { Handlers } from '@parlance/bus'
import { type Evaluation, ServiceError, type sessionsContract } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { FindAgentModel } from '../llm/provider-models.js'
import type { LateUsage } from '../records/settle-late-usage.js'
import type { TranscriptRepository } from '../records/transcript-repository.js'
import type { AnalysisRepository, AnalysisResult, DueAnalysis, JudgedSession } from './analysis-repository.js'
import { judgeConversation, UnusableAnswerError } from './judge-conversation.js'

interface JudgeSessionOptions {
  readonly transcripts: Pick<TranscriptRepository, 'listMessages' | 'listToolCalls'>
  readonly findAgentModel: FindAgentModel
  /** Counts tokens in the record and for the credit of the workspace. Never rejects. */
  countUsage(session: JudgedSession, usage: LateUsage['usage']): Promise<void>
}

/**
 * Judges a conversation that has ended by its Agent's model. Null when no message of the user is stored. Rejects as
 * `judgeConversation` does.
 */
type JudgeSession = (
  session: JudgedSession,
  evaluation: Evaluation,
  signal: AbortSignal,
) => Promise<AnalysisResult | null>

interface AnalysisRunnerOptions {
  readonly analyses: Pick<AnalysisRepository, 'take' | 'postpone' | 'giveBack' | 'remove' | 'finish'>
  readonly judge: JudgeSession
  readonly logger: Pick<Logger, 'warn'>
}

const maxAttempts = 3
/** For one attempt, with the correction of its answer. */
const attemptTimeoutMs = 60_000
/** The extra time is for the database. */
const leaseMs = attemptTimeoutMs + 30_000
/** The limit of one instance, so that its live conversations keep their share of the processor. */
const maxRunning = 2
const intervalMs = 1_000
/** Before the second attempt. The delay is doubled before the third. */
const backoff = { firstMs: 10_000, maxMs: 60_000 }
/** More than fit into one page, whose size is limited too. */
const maxMessages = 10_000

const cutShort = 'The server stopped during each attempt of the analysis.'
const builtinCannot = 'The built-in model cannot judge conversations. Choose another model for the Agent.'

const isTemporary = (error: unknown): boolean => error instanceof ServiceError && error.retryable

/** For members of the workspace: internal detail is in the log. */
const failureOf = (error: unknown): string => {
  if (error instanceof UnusableAnswerError || error instanceof ServiceError) return error.message
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? `The analysis took longer than ${attemptTimeoutMs / 1000} s.`
    : 'The analysis failed by an internal error.'
}

export const createJudgeSession = ({ transcripts, findAgentModel, countUsage }: JudgeSessionOptions): JudgeSession => {
  const conversationOf = async ({ workspaceId, sessionId }: JudgedSession) => {
    const page = { limit: maxMessages, order: 'desc' } as const
    const { items: newestFirst } = await transcripts.listMessages(workspaceId, sessionId, page)
    if (!newestFirst.some(({ role }) => role === 'user')) return null
    const calls = await transcripts.listToolCalls(workspaceId, sessionId, { limit: maxMessages })
    return { messages: newestFirst.reverse(), toolCalls: calls.items }
  }

  return async (session, evaluation, signal) => {
    const conversation = await conversationOf(session)
    if (conversation === null) return null
    if (session.llmProvider === 'builtin') throw new UnusableAnswerError(builtinCannot)
    const config = { llm_provider: session.llmProvider ?? '', llm_model: session.llmModel ?? '' }
    const model = await findAgentModel(session.workspaceId, config, { requestId: randomUUID() })
    const usage = { llm_input_tokens: 0, llm_output_tokens: 0 }
    try {
      return await judgeConversation({
        ...{ model, evaluation, conversation, signal },
        used({ llm_input_tokens, llm_output_tokens }) {
          usage.llm_input_tokens += llm_input_tokens
          usage.llm_output_tokens += llm_output_tokens
        },
      })
    } finally {
      if (usage.llm_input_tokens + usage.llm_output_tokens > 0) await countUsage(session, usage)
    }
  }
}

/** Judges a conversation for a test of its Agent. */
export const createJudgeHandler =
  (analyses: Pick<AnalysisRepository, 'findEnded'>, judge: JudgeSession): Handlers<typeof sessionsContract>['judge'] =>
  async ({ workspace_id, session_id, criteria }, { fail, signal }) => {
    const session = await analyses.findEnded(workspace_id, session_id)
    if (session === undefined) return fail('session_not_found', 'There is no such session, or it has not ended.')
    try {
      const result = await judge(session, { criteria, data: [] }, signal)
      if (result === null) return fail('invalid_request', 'No message of the user is stored.')
      return { criteria: [...result.criteria] }
    } catch (error) {
      if (error instanceof UnusableAnswerError) return fail('invalid_request', error.message)
      throw error
    }
  }

export const startAnalysisRunner = ({ analyses, judge, logger }: AnalysisRunnerOptions) => {
  const stop = new AbortController()
  const permits = createSemaphore(maxRunning)
  const running = createPendingWork()
  let taking: Promise<void> = Promise.resolve()

  /** Null when there is nothing to judge. */
  const judgeDue = async (due: DueAnalysis): Promise<AnalysisResult | null> => {
    if (due.attempts > maxAttempts) throw new UnusableAnswerError(cutShort)
    return judge(due, due.evaluation, AbortSignal.any([stop.signal, AbortSignal.timeout(attemptTimeoutMs)]))
  }

  const attempt = async (due: DueAnalysis): Promise<void> => {
    try {
      const result = await judgeDue(due)
      if (result === null) await analyses.remove(due)
      else await analyses.finish(due, result)
    } catch (err) {
      if (stop.signal.aborted) return analyses.giveBack(due)
      const { sessionId, attempts } = due
      logger.warn({ sessionId, count: attempts, err }, 'The analysis of a conversation failed')
      if (isTemporary(err) && attempts < maxAttempts) {
        await analyses.postpone(due, backoffMs(backoff, attempts))
      } else {
        await analyses.finish(due, { error: failureOf(err) })
      }
    }
  }

  const start = (due: DueAnalysis): void => {
    const release = permits.tryAcquire()
    const end = running.begin()
    void attempt(due)
      .catch((err: unknown) =>
        logger.warn(
          { sessionId: due.sessionId, err },
          'The outcome of an analysis could not be stored; it is made again',
        ),
      )
      .finally(() => {
        end()
        release?.()
      })
  }

  const takeDue = async (): Promise<void> => {
    const free = permits.available()
    if (free === 0 || stop.signal.aborted) return
    for (const due of await analyses.take(free, leaseMs)) start(due)
  }

  const timer = setInterval(() => {
    taking = taking.then(takeDue).catch((err: unknown) => {
      logger.warn({ err }, 'Looking for conversations to analyze failed; it is tried again')
    })
  }, intervalMs)
  timer.unref()

  return {
    /** Stops the attempts, which are repeated later. Resolves when none runs. */
    async stop() {
      clearInterval(timer)
      stop.abort(new Error('The process stops.'))
      await taking
      await running.allDone()
    },
  }
}

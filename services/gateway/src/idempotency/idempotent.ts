import type { Peppers } from '@parlance/clients/api-key'
import { ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import type { Request, RequestHandler, Response } from 'express'
import { principalOf } from '../authentication/require-key.js'
import { readBody } from '../http/json-body.js'
import { type CapturedResponse, captureResponse } from './captured-response.js'
import { type ClaimTimes, claimOrOutcome, type Outcome } from './claim.js'
import { fingerprintOf, idempotencyKeyOf, recordKeyOf } from './idempotency-key.js'
import { type Answer, type AnswerOwner, openAnswer, replay, sealAnswer } from './sealed-answer.js'

export interface IdempotencyOptions {
  ttl: TtlStore
  peppers: Peppers
  logger: Logger
  times?: ClaimTimes
}

/** Whether the header has an effect for a request, where that depends on more than its route. */
export type Applies = (req: Request) => Promise<boolean>

/** Wraps a handler so that it does its work once for each `Idempotency-Key` of an owner. */
type Idempotent = (handler: RequestHandler, options?: IdempotentOptions) => RequestHandler

export interface IdempotentOptions {
  readonly applies?: Applies
  /** The content that must be the same in two requests with the same key. Default: the bytes of the body. */
  readonly contentOf?: (req: Request) => Promise<Uint8Array>
  /** The owner of the key. Keys of different owners are independent. Default: the workspace, in a route behind `requireKey`. */
  readonly ownerOf?: (req: Request) => string
}

const workspaceOf = (req: Request): string => principalOf(req).workspace_id

const defaultTimes: ClaimTimes = { claimMs: 5_000, waitMs: 10_000, keptMs: 24 * 3_600_000 }

/**
 * Only success is stored and replayed. A request that failed has changed nothing, and may be tried again with the same key. A
 * response is sent after it was stored, so that a client that has received it will receive it again. When it cannot be stored,
 * it is still sent, since the work is done.
 */
export const createIdempotent = ({ ttl, peppers, logger, times = defaultTimes }: IdempotencyOptions): Idempotent => {
  /** Throws `idempotency_conflict` for an outcome without an answer that can be replayed. */
  const answerOf = (owner: AnswerOwner, outcome: Outcome): Answer => {
    const answer = outcome.state === 'kept' ? openAnswer(peppers, owner, outcome.answer) : undefined
    if (answer !== undefined) return answer
    throw new ServiceError(
      'idempotency_conflict',
      outcome.state === 'too_large'
        ? 'The request with this Idempotency-Key succeeded. Its response was too large to be stored.'
        : 'The request with this Idempotency-Key succeeded. Its response can no longer be read.',
    )
  }

  const outcomeOf = (owner: AnswerOwner, captured: CapturedResponse): Outcome | undefined => {
    const { fingerprint } = owner
    const answer = captured.answered()
    if (answer === 'too large') return { state: 'too_large', fingerprint }
    if (answer === undefined || answer.status < 200 || answer.status > 299) return undefined
    return { state: 'kept', fingerprint, answer: sealAnswer(peppers, owner, answer) }
  }

  /** Responds to the request: does its work, or replays its outcome. */
  const answerOnce = async (req: Request, res: Response, owner: AnswerOwner, doWork: () => unknown): Promise<void> => {
    const taken = await claimOrOutcome(ttl, recordKeyOf(owner), owner.fingerprint, times)
    if ('outcome' in taken) return replay(req, res, answerOf(owner, taken.outcome))
    const { claim } = taken
    const settle = async (outcome: Outcome | undefined): Promise<void> => {
      try {
        if (outcome === undefined) await claim.release()
        else await claim.finish(outcome)
      } catch (err) {
        logger.warn({ requestId: req.id, err }, 'The outcome of an Idempotency-Key could not be stored')
      }
    }

    // The client disconnected while the request waited.
    if (res.closed) return settle(undefined)
    const captured = captureResponse(res)
    try {
      await doWork()
    } catch (error) {
      captured.release('drop')
      await settle(undefined)
      throw error
    }
    await settle(outcomeOf(owner, captured))
    captured.release('send')
  }

  return (handler, { applies, contentOf = readBody, ownerOf = workspaceOf } = {}) =>
    async (req, res, next) => {
      if (req.headers['idempotency-key'] === undefined) return handler(req, res, next)
      // Also checked when it has no effect, so that a malformed header is refused in every mode.
      const idempotencyKey = idempotencyKeyOf(req)
      if (applies !== undefined && !(await applies(req))) return handler(req, res, next)
      const owner: AnswerOwner = {
        scope: ownerOf(req),
        idempotencyKey,
        fingerprint: fingerprintOf(req, await contentOf(req)),
      }
      await answerOnce(req, res, owner, () => handler(req, res, next))
    }
}

import { withTimeout } from '@parlance/async'
import type { Peppers } from '@parlance/clients/api-key'
import { ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import type { Request, RequestHandler, Response } from 'express'
import { principalOf } from '../authentication/require-key.js'
import { readBody } from '../http/json-body.js'
import { type Answer, replay } from './answer.js'
import { type CapturedResponse, captureResponse } from './captured-response.js'
import { type ClaimTimes, claimOrOutcome, type Outcome, stillWorkedOn } from './claim.js'
import { fingerprintOf, idempotencyKeyOf, placeOf } from './idempotency-key.js'
import { type AnswerOwner, openAnswer, sealAnswer } from './sealed-answer.js'

export interface IdempotencyOptions {
  ttl: TtlStore
  peppers: Peppers
  logger: Logger
  times?: ClaimTimes
}

/** Whether the header counts for a request, where that depends on more than its route. */
export type Applies = (req: Request) => Promise<boolean>

/** A handler that does its work once for each `Idempotency-Key` of a workspace; it stands behind `requireKey`, or is told whose keys they are. */
export type Idempotent = (handler: RequestHandler, options?: IdempotentOptions) => RequestHandler

export interface IdempotentOptions {
  readonly applies?: Applies
  /** Whose key it is: each has keys of its own. The workspace, when left out. */
  readonly ownerOf?: (req: Request) => string
}

const workspaceOf = (req: Request): string => principalOf(req).workspace_id

const usualTimes: ClaimTimes = { claimMs: 5_000, waitMs: 10_000, keptMs: 24 * 3_600_000 }

/**
 * Only what succeeded is kept and given again: a request that failed has changed nothing and may be tried again under
 * the same key. An answer goes out after it was kept, so that a caller who has seen it will see it again. Where it
 * cannot be kept it goes out all the same: what was done is done, and to hide that would help nobody.
 */
export const createIdempotent = ({ ttl, peppers, logger, times = usualTimes }: IdempotencyOptions): Idempotent => {
  /** The answer that was kept. */
  const answerOf = (owner: AnswerOwner, outcome: Outcome): Answer => {
    const answer = outcome.state === 'kept' ? openAnswer(peppers, owner, outcome.answer) : undefined
    if (answer !== undefined) return answer
    throw new ServiceError(
      'idempotency_conflict',
      outcome.state === 'too_large'
        ? 'The request with this Idempotency-Key succeeded. Its answer was too large to be kept and given again.'
        : 'The request with this Idempotency-Key succeeded. Its answer can no longer be read.',
    )
  }

  const outcomeOf = (owner: AnswerOwner, captured: CapturedResponse): Outcome | undefined => {
    const { fingerprint } = owner
    const answer = captured.answered()
    if (answer === 'too large') return { state: 'too_large', fingerprint }
    if (answer === undefined || answer.status < 200 || answer.status > 299) return undefined
    return { state: 'kept', fingerprint, answer: sealAnswer(peppers, owner, answer) }
  }

  /** Answers the request, by doing its work or with what came of it before. Undefined when nothing of it was kept. */
  const answerOnce = async (
    req: Request,
    res: Response,
    owner: AnswerOwner,
    doWork: () => unknown,
  ): Promise<Outcome | undefined> => {
    const taken = await claimOrOutcome(ttl, placeOf(owner), owner.fingerprint, times)
    if ('outcome' in taken) {
      replay(req, res, answerOf(owner, taken.outcome))
      return taken.outcome
    }
    const { claim } = taken
    const settle = async (outcome: Outcome | undefined): Promise<void> => {
      try {
        if (outcome === undefined) await claim.release()
        else await claim.finish(outcome)
      } catch (err) {
        logger.warn({ requestId: req.id, err }, 'what became of an Idempotency-Key could not be written down')
      }
    }

    // The caller has gone while this waited: nobody wants it done.
    if (res.closed) {
      await settle(undefined)
      return undefined
    }
    const captured = captureResponse(res)
    try {
      await doWork()
    } catch (error) {
      captured.release('drop')
      await settle(undefined)
      throw error
    }
    const outcome = outcomeOf(owner, captured)
    await settle(outcome)
    captured.release('send')
    return outcome
  }

  /** What this process is about, by place and fingerprint. Those who wait here need not ask the store again and again. */
  const running = new Map<string, Promise<Outcome | undefined>>()

  return (handler, { applies, ownerOf = workspaceOf } = {}) =>
    async (req, res, next) => {
      if (req.headers['idempotency-key'] === undefined) return handler(req, res, next)
      // Checked where it has no effect as well: what is wrong in one mode is not right in another.
      const idempotencyKey = idempotencyKeyOf(req)
      if (applies !== undefined && !(await applies(req))) return handler(req, res, next)
      const owner: AnswerOwner = {
        scope: ownerOf(req),
        idempotencyKey,
        fingerprint: fingerprintOf(req, await readBody(req)),
      }
      const slot = `${placeOf(owner)} ${owner.fingerprint}`
      const waitUntilMs = performance.now() + times.waitMs
      for (let other = running.get(slot); other !== undefined; other = running.get(slot)) {
        const outcome = await withTimeout(other, waitUntilMs - performance.now(), () => {
          throw stillWorkedOn()
        })
        if (res.closed) return
        if (outcome !== undefined) {
          replay(req, res, answerOf(owner, outcome))
          return
        }
      }
      const work = answerOnce(req, res, owner, () => handler(req, res, next))
      running.set(
        slot,
        work.catch(() => undefined),
      )
      try {
        await work
      } finally {
        running.delete(slot)
      }
    }
}

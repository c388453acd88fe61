/**
 * How a conversation comes to its end.
 *
 * - The reason that was given first stands; of the deadlines the nearest.
 * - The peer is told with `onEnding` before it is over, whatever ends it but its own going.
 * - `onOver` is called once, and nothing afterwards.
 */
import { type EndReason, isFailure, type ServiceError } from '@parlance/contracts'
import type { ConversationEnd } from './conversation.js'

export interface ConversationLife {
  /** The client is ready: the longest time that is allowed begins. */
  begin(): void
  /** Ends it when the agent has finished, at the latest after so many ms. */
  end(reason: EndReason, deadlineMs: number, error?: ServiceError): void
  /** The agent has finished: if this was all that was waited for, it is over. */
  finished(): void
  /** The peer is gone. */
  lose(reason: EndReason): void
  isOver(): boolean
}

export interface ConversationLifeOptions {
  readonly maxDurationMs: number
  /** Whether there is something that the agent should be let finish. */
  isBusy(): boolean
  onEnding(reason: EndReason, deadlineMs: number): void
  /** From now on nothing new is begun. */
  onLeave(): void
  onOver(end: ConversationEnd): void
}

/** So long before the longest time is up, the peer is told. */
const warningMs = 10_000

export const createConversationLife = (options: ConversationLifeOptions): ConversationLife => {
  const { maxDurationMs, isBusy, onEnding, onLeave, onOver } = options
  let end: ConversationEnd | undefined
  let leaving = false
  let over = false
  let endsAtMs = Number.POSITIVE_INFINITY
  let warning: NodeJS.Timeout | undefined
  let deadline: NodeJS.Timeout | undefined

  const finish = (): void => {
    if (over || end === undefined) return
    over = true
    clearTimeout(warning)
    clearTimeout(deadline)
    onOver(end)
  }

  const announce = (reason: EndReason, deadlineMs: number, error?: ServiceError): void => {
    if (end === undefined) {
      end = { reason, error: isFailure(reason) ? describe(error) : null }
      onEnding(reason, deadlineMs)
    }
    const atMs = performance.now() + deadlineMs
    if (atMs >= endsAtMs) return
    endsAtMs = atMs
    clearTimeout(deadline)
    deadline = setTimeout(finish, deadlineMs)
  }

  const leave = (): void => {
    if (leaving) return
    leaving = true
    onLeave()
  }

  return {
    begin() {
      const aheadMs = Math.min(warningMs, maxDurationMs / 2)
      warning = setTimeout(() => announce('max_duration', aheadMs), maxDurationMs - aheadMs)
    },
    end(reason, deadlineMs, error) {
      if (over) return
      announce(reason, deadlineMs, error)
      leave()
      if (deadlineMs <= 0 || !isBusy()) finish()
    },
    finished() {
      if (leaving) finish()
    },
    lose(reason) {
      if (over) return
      announce(reason, 0)
      finish()
    },
    isOver: () => over,
  }
}

const describe = (error: ServiceError | undefined): ConversationEnd['error'] =>
  error === undefined
    ? { code: 'internal_error', detail: 'Something went wrong on our side. Try again.' }
    : { code: error.code, detail: error.detail }

/**
 * Charges the time of a conversation, which is reserved ahead in blocks.
 *
 * - Time counts from the moment when the client is ready. A conversation that ends earlier costs nothing.
 * - The next block is reserved well before the current one runs out. Without credit for it `onInsufficientCredit` is called
 *   early enough for the conversation to end within the time that is reserved.
 * - All charges together are the price of the passed time, rounded up once to a billionth: each block is charged the
 *   difference between two prices.
 * - While the credit service cannot be reached the conversation continues, and the next block covers the time since the last.
 */

import { type CreditReservation, type CreditReserver, parseCredit } from '@parlance/clients/credit'
import type { SessionUsage } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'

interface SessionAccountOptions {
  readonly reserver: Pick<CreditReserver, 'reserve'>
  readonly workspaceId: string
  readonly keyId: string
  readonly agentId: string
  /** Decimal text. */
  readonly creditPerMinute: string
  /** Called before each block. Rejects with `insufficient_credit` when the conversation may use no more. */
  readonly checkDailyCredit?: (() => Promise<unknown>) | undefined
  /** There is no credit for the time after the current block. */
  onInsufficientCredit(): void
}

const blockMs = 30_000
/** How long before the end of the reserved time the next block is reserved. */
const aheadMs = 10_000
const retryMs = 1_000

interface Block {
  readonly reservation: CreditReservation
  /** In ms since the start. */
  readonly fromMs: number
  readonly toMs: number
}

export type SessionAccount = Awaited<ReturnType<typeof openSessionAccount>>

/** Reserves the first block. Rejects with `insufficient_credit`, or with `unavailable`. */
export const openSessionAccount = async (options: SessionAccountOptions) => {
  const { reserver, workspaceId, keyId, agentId, onInsufficientCredit, checkDailyCredit } = options
  const perMinuteNano = parseCredit(options.creditPerMinute)
  const unsettled = { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0 }
  const blocks: Block[] = []
  let reservedToMs = 0
  let startedAtMs: number | undefined
  let chargedNano = 0n
  let closed = false
  let timer: NodeJS.Timeout | undefined

  /** The price of a duration, in billionths of a credit. */
  const priceAt = (ms: number): bigint => (perMinuteNano * BigInt(Math.ceil(ms)) + 59_999n) / 60_000n
  const passedMs = () => (startedAtMs === undefined ? 0 : performance.now() - startedAtMs)

  const reserve = async (): Promise<void> => {
    const fromMs = reservedToMs
    const toMs = Math.max(fromMs, passedMs()) + blockMs
    await checkDailyCredit?.()
    const reservation = await reserver.reserve({ workspaceId, amountNano: priceAt(toMs) - priceAt(fromMs) })
    if (closed) return reservation.release()
    blocks.push({ reservation, fromMs, toMs })
    reservedToMs = toMs
  }

  /** Charges a block for the part of it that has passed. */
  const settle = ({ reservation, fromMs, toMs }: Block, passed: number) => {
    const endMs = Math.min(Math.max(passed, fromMs), toMs)
    const seconds = (endMs - fromMs) / 1000
    const chargeNano = priceAt(endMs) - priceAt(fromMs)
    const used = unsettled.stt_seconds + unsettled.llm_input_tokens + unsettled.llm_output_tokens > 0
    if (seconds === 0 && !used) return reservation.release()
    chargedNano += chargeNano
    const quantities = { ...unsettled, session_seconds: Math.round(seconds * 1000) / 1000 }
    Object.assign(unsettled, { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0 })
    reservation.settle(chargeNano, { kind: 'session', key_id: keyId, agent_id: agentId, quantities })
  }

  const wait = (ms: number): void => {
    timer = setTimeout(() => void continueReserving(), Math.max(0, ms))
    timer.unref()
  }

  const continueReserving = async (): Promise<void> => {
    while (blocks[0] !== undefined && blocks[0].toMs <= passedMs()) settle(blocks.shift()!, passedMs())
    try {
      if (reservedToMs - passedMs() <= aheadMs) await reserve()
    } catch (error) {
      if (closed) return
      if (error instanceof ServiceError && error.code === 'insufficient_credit') return onInsufficientCredit()
      return wait(retryMs)
    }
    if (!closed) wait(Math.min(reservedToMs - aheadMs, blocks[0]?.toMs ?? Number.POSITIVE_INFINITY) - passedMs())
  }

  await reserve()

  return {
    /** To be called when the client is ready: time counts from now on. */
    start() {
      if (startedAtMs !== undefined || closed) return
      startedAtMs = performance.now()
      wait(blockMs - aheadMs)
    },
    used({ stt_seconds = 0, llm_input_tokens = 0, llm_output_tokens = 0 }: Partial<SessionUsage>) {
      unsettled.stt_seconds += stt_seconds
      unsettled.llm_input_tokens += llm_input_tokens
      unsettled.llm_output_tokens += llm_output_tokens
    },
    /** Charges the time that has passed and releases the rest of what is reserved. Later calls do nothing. */
    close() {
      if (closed) return
      closed = true
      clearTimeout(timer)
      const passed = passedMs()
      for (const block of blocks.splice(0)) settle(block, passed)
    },
    /** All charges so far, in billionths of a credit. */
    chargedNano: () => chargedNano,
  }
}

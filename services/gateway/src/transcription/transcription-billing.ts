/**
 * The cost of a transcription: its audio, by the second. Credit for all of the audio is reserved before any of it is
 * recognized. A bill is closed once, however the transcription ends.
 */
import { createPendingWork } from '@parlance/async'
import type { CallContext } from '@parlance/bus'
import { type CreditReserver, parseCredit } from '@parlance/clients/credit'
import type { Principal } from '@parlance/contracts'

interface TranscriptionOrder {
  /** The payer. */
  readonly principal: Pick<Principal, 'workspace_id' | 'key_id'>
  readonly durationMs: number
  readonly context: CallContext
}

export interface TranscriptionBill {
  /**
   * Ends the bill after this much of the audio, from its beginning, was transcribed and delivered: it is charged, and the
   * rest of the reservation is returned. Only the first call has an effect.
   */
  settle(deliveredMs: number): void
}

/** Rejects with `insufficient_credit`, or with `unavailable`. */
export type OpenTranscriptionBill = (order: TranscriptionOrder) => Promise<TranscriptionBill>

interface TranscriptionBillingOptions {
  readonly reserver: Pick<CreditReserver, 'reserve'>
  /** The price, as decimal text. */
  readonly creditPerMinute: string
}

/** The unit in which audio is billed: a second that has begun counts as a whole one. */
export const billedSeconds = (durationMs: number): number => Math.ceil(durationMs / 1000)

/** Opens bills for transcriptions. */
export const createTranscriptionBilling = ({ reserver, creditPerMinute }: TranscriptionBillingOptions) => {
  const perMinuteNano = parseCredit(creditPerMinute)
  const bills = createPendingWork()

  /** In billionths of a credit, rounded up. */
  const priceOf = (seconds: number): bigint => (perMinuteNano * BigInt(seconds) + 59n) / 60n

  const open = async ({ principal, durationMs, context }: TranscriptionOrder, onClosed: () => void) => {
    const { workspace_id: workspaceId, key_id } = principal
    const allSeconds = billedSeconds(durationMs)
    const reservation = await reserver.reserve({ workspaceId, amountNano: priceOf(allSeconds), context })
    return {
      settle(deliveredMs: number) {
        const seconds = Math.min(allSeconds, billedSeconds(deliveredMs))
        if (seconds === 0) reservation.release()
        else {
          const quantities = { stt_seconds: seconds }
          reservation.settle(priceOf(seconds), { kind: 'stt', key_id, agent_id: null, quantities })
        }
        onClosed()
      },
    }
  }

  return {
    openBill: (order: TranscriptionOrder): Promise<TranscriptionBill> =>
      bills.open((onClosed) => open(order, onClosed)),
    /** Resolves when every bill that was requested so far is closed. */
    allClosed: bills.allDone,
  }
}

/** Whole seconds, so that only the last part of a stream is rounded up. */
const partMs = 10_000

/** The cost of audio whose length is not known before. Credit is reserved for a part of it at a time. */
export const createListeningBill = (openBill: OpenTranscriptionBill, order: Omit<TranscriptionOrder, 'durationMs'>) => {
  let bill: TranscriptionBill | undefined
  let fromMs = 0
  let coveredMs = 0
  let settledSeconds: number | undefined

  return {
    /** Resolves when credit is reserved for the audio until then. Rejects as `OpenTranscriptionBill` does. One call at a time. */
    async cover(untilMs: number): Promise<void> {
      while (untilMs > coveredMs && settledSeconds === undefined) {
        const next = await openBill({ ...order, durationMs: partMs })
        if (settledSeconds !== undefined) return next.settle(0)
        bill?.settle(partMs)
        bill = next
        fromMs = coveredMs
        coveredMs += partMs
      }
    },
    /**
     * Charges the audio until then, and at least the parts before the last, and returns how many seconds are charged in total.
     * Only the first call has an effect.
     */
    settle(untilMs: number): number {
      if (settledSeconds === undefined) {
        const chargedMs = Math.min(coveredMs, Math.max(fromMs, untilMs))
        settledSeconds = billedSeconds(chargedMs)
        bill?.settle(chargedMs - fromMs)
      }
      return settledSeconds
    },
  }
}

/**
 * The cost of a transcription: its audio, by the second. Credit for all of the audio is reserved before any of it is
 * recognized. A bill is closed once, however the transcription ends.
 */
import { createPendingWork } from '@parlance/async'
import type { CallContext } from '@parlance/bus'
import { type CreditReserver, parseCredit } from '@parlance/clients/credit'
import type { Principal } from '@parlance/contracts'

export interface TranscriptionOrder {
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

/** Opens bills for transcriptions. */
export interface TranscriptionBilling {
  openBill: OpenTranscriptionBill
  /** Resolves when every bill that was requested so far is closed. */
  allClosed(): Promise<void>
}

export interface TranscriptionBillingOptions {
  readonly reserver: Pick<CreditReserver, 'reserve'>
  /** The price, as decimal text. */
  readonly creditPerMinute: string
}

/** The unit in which audio is billed: a second that has begun counts as a whole one. */
export const billedSeconds = (durationMs: number): number => Math.ceil(durationMs / 1000)

export const createTranscriptionBilling = (options: TranscriptionBillingOptions): TranscriptionBilling => {
  const { reserver } = options
  const perMinuteNano = parseCredit(options.creditPerMinute)
  const bills = createPendingWork()

  /** In billionths of a credit, rounded up. */
  const priceOf = (seconds: number): bigint => (perMinuteNano * BigInt(seconds) + 59n) / 60n

  const openBill = async ({ principal, durationMs, context }: TranscriptionOrder, onClosed: () => void) => {
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
    openBill: (order) => bills.open((onClosed) => openBill(order, onClosed)),
    allClosed: bills.allDone,
  }
}

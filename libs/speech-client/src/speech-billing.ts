/**
 * What a speech costs, from before its first work to after its last.
 *
 * - Credit for all of the text is reserved before the synthesis is asked for.
 * - A bill is closed once, by a settlement or by a release, however the speech ends.
 * - A speech that was completed pays for all of its text. One that broke off in the middle, by a failure or by its caller
 *   hanging up, pays for the segments that were completed; one that failed before anything was sent pays for nothing.
 * - What is paid for is what is spoken: the variant whose price was looked up is the one that the synthesis is asked for.
 */
import type { CallContext } from '@parlance/bus'
import type { Principal, SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { type CreditReserver, priceOfCharacters } from '@parlance/credit'
import type { Flow } from '@parlance/flow'
import type { VoicePrices } from './voice-prices.js'

export interface SpeechOrder {
  /** Who pays. */
  readonly principal: Pick<Principal, 'workspace_id' | 'key_id'>
  readonly request: SynthesisRequest
  /** Code points of the text. */
  readonly characters: number
  /** The Agent that says it, for what is part of its sessions; null for speech of its own. */
  readonly agentId: string | null
  readonly context: CallContext
}

export interface SpeechCharge {
  /** Code points that were spoken and are paid for. */
  readonly characters: number
  /** Billionths of a credit. */
  readonly nano: bigint
}

export interface SpeechBill {
  /** The same request with the voice and the variant that are paid for, by their ids. */
  readonly request: SynthesisRequest
  /** Who speaks it: the lane in which the synthesis is to be asked for. */
  readonly engine: string
  /** A chunk of the speech goes on to the caller; those of `segment` and `done` say what will be paid for. */
  passed(chunk: SynthesisChunk): void
  /** The same speech, of which each chunk that is taken has passed. */
  meter(speech: Flow<SynthesisChunk>): Flow<SynthesisChunk>
  /** The speech is over, and its caller pays for what passed through. */
  settle(): SpeechCharge
  /** The speech never reached its caller, who pays nothing. */
  release(): void
}

/** Rejects with `insufficient_credit`, `unavailable`, and as the look-up of its voice does. */
export type OpenSpeechBill = (order: SpeechOrder) => Promise<SpeechBill>

export interface SpeechBilling {
  openBill: OpenSpeechBill
  /** Resolves when every bill that was asked for so far is closed. */
  allClosed(): Promise<void>
}

export interface SpeechBillingOptions {
  priceOf: VoicePrices
  reserver: Pick<CreditReserver, 'reserve'>
}

export const createSpeechBilling = ({ priceOf, reserver }: SpeechBillingOptions): SpeechBilling => {
  const open = new Set<Promise<void>>()
  /** Returns what is to be called when it is over. */
  const begin = (): (() => void) => {
    let close = () => {}
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    open.add(closed)
    return () => {
      open.delete(closed)
      close()
    }
  }

  const openBill = async (
    { principal, request, characters, agentId, context }: SpeechOrder,
    onClosed: () => void,
  ): Promise<SpeechBill> => {
    const { voice, variant, engine, creditPer1kCharacters } = await priceOf(request, context)
    const hold = await reserver.reserve({
      workspaceId: principal.workspace_id,
      amountNano: priceOfCharacters(creditPer1kCharacters, characters),
      context,
    })
    let completed = 0

    const passed = (chunk: SynthesisChunk) => {
      if (chunk.event === 'segment') completed = Math.min(completed + chunk.characters, characters)
      if (chunk.event === 'done') completed = characters
    }
    const release = () => {
      hold.release()
      onClosed()
    }
    return {
      request: { ...request, voice, variant },
      engine,
      passed,
      meter: (speech) => (take, signal) =>
        speech((chunk) => {
          passed(chunk)
          return take(chunk)
        }, signal),
      settle() {
        if (completed === 0) {
          release()
          return { characters: 0, nano: 0n }
        }
        const nano = priceOfCharacters(creditPer1kCharacters, completed)
        hold.settle(nano, {
          kind: agentId === null ? 'tts' : 'session',
          key_id: principal.key_id,
          agent_id: agentId,
          quantities: { tts_characters: completed },
        })
        onClosed()
        return { characters: completed, nano }
      },
      release,
    }
  }

  return {
    async openBill(order) {
      const onClosed = begin()
      try {
        return await openBill(order, onClosed)
      } catch (error) {
        onClosed()
        throw error
      }
    },
    async allClosed() {
      await Promise.all(open)
    },
  }
}

/**
 * The billing of one speech, from the reservation to the settlement.
 *
 * - Credit for the whole text is reserved before the synthesis is requested.
 * - A bill is closed once, however the speech ends: it is settled for the code points that were delivered, which
 *   `SpeechRecord` meters on every path. When nothing was delivered, the reservation is released.
 * - The synthesis is requested for the variant whose price was looked up.
 */
import { createPendingWork } from '@parlance/async'
import type { CallContext } from '@parlance/bus'
import { chosenLanguage, isSlowVoice, type Principal, type SynthesisRequest } from '@parlance/contracts'
import { type CreditReserver, priceOfCharacters } from '../credit/index.js'
import type { VoicePrices } from './voice-prices.js'

export interface SpeechOrder {
  /** The payer. */
  readonly principal: Pick<Principal, 'workspace_id' | 'key_id'>
  readonly request: SynthesisRequest
  /** Code points of the text. */
  readonly characters: number
  /** The Agent whose session the speech is part of; null for speech outside of sessions. */
  readonly agentId: string | null
  readonly context: CallContext
}

interface SpeechCharge {
  /** The code points that were spoken and are charged. */
  readonly characters: number
  /** In billionths of a credit. */
  readonly nano: bigint
}

/** The price of one speech, reserved until it is settled. */
export interface SpeechBill {
  /** The same request with the voice and the variant that are paid for, by their ids. */
  readonly request: SynthesisRequest
  /** The engine that speaks it, which is the lane for the request. */
  readonly engine: string
  /** The language in which the text is spoken, a BCP 47 tag. */
  readonly language: string
  /** Whether the voice speaks slower than real time, so that its first audio may come late. */
  readonly isSlow: boolean
  /**
   * Ends the bill after this number of code points was delivered: they are charged, up to the whole text, and the rest of the
   * reservation is returned. Only the first call has an effect.
   */
  settle(characters: number): SpeechCharge
}

/**
 * Rejects with `insufficient_credit`, `unavailable`, `invalid_request` for a language that the voice does not speak, and as its
 * look-up does.
 */
export type OpenSpeechBill = (order: SpeechOrder) => Promise<SpeechBill>

interface SpeechBillingOptions {
  priceOf: VoicePrices
  reserver: Pick<CreditReserver, 'reserve'>
}

/** Opens bills for speech, by the prices of the catalog. */
export const createSpeechBilling = ({ priceOf, reserver }: SpeechBillingOptions) => {
  const bills = createPendingWork()

  const openBill = async (
    { principal, request, characters, agentId, context }: SpeechOrder,
    onClosed: () => void,
  ): Promise<SpeechBill> => {
    const { voice, variant } = await priceOf(request, context)
    const language = chosenLanguage(voice, request.language)
    const price = (codePoints: number) => priceOfCharacters(variant.credit_per_1k_characters, codePoints)
    const hold = await reserver.reserve({
      workspaceId: principal.workspace_id,
      amountNano: price(characters),
      context,
    })
    let charge: SpeechCharge | undefined

    const settle = (delivered: number): SpeechCharge => {
      const billed = Math.min(delivered, characters)
      if (billed === 0) {
        hold.release()
        return { characters: 0, nano: 0n }
      }
      const nano = price(billed)
      hold.settle(nano, {
        kind: agentId === null ? 'tts' : 'session',
        key_id: principal.key_id,
        agent_id: agentId,
        quantities: { tts_characters: billed },
      })
      return { characters: billed, nano }
    }
    return {
      request: { ...request, voice: voice.id, variant: variant.id },
      engine: variant.engine,
      language,
      isSlow: isSlowVoice(voice),
      settle(delivered) {
        if (charge === undefined) {
          charge = settle(delivered)
          onClosed()
        }
        return charge
      },
    }
  }

  return {
    openBill: (order: SpeechOrder): Promise<SpeechBill> => bills.open((onClosed) => openBill(order, onClosed)),
    /** Resolves when every bill that was requested so far is closed. */
    allClosed: bills.allDone,
  }
}

import type { PushStream } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'
import { isSpeakable, unspoken } from '@parlance/speech'
import { z } from 'zod'
import type { OpenSpeechBill, SpeechOrder } from './speech-billing.js'
import type { Synthesize, SynthesizeOptions } from './synthesize.js'

/** Slow models need up to ten times the duration of their speech. */
const slowFactor = 6

/** The environment variable of every service that speaks through `createSynthesize`. */
export const firstAudioVariables = {
  FIRST_AUDIO_DEADLINE_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(25_000)
    .default(10_000)
    .describe(
      'the longest wait for the first audio of a speech, in ms from 100 to 25000; six times as long for a slow voice',
    ),
}

/** The maximum time to the first audio, in ms. A voice that is not slow may take `usualMs`. */
export const firstAudioDeadline = ({ isSlow }: { readonly isSlow: boolean }, usualMs: number): number =>
  isSlow ? slowFactor * usualMs : usualMs

/** A speech for which credit is being reserved. */
export interface OrderedSpeech {
  /** Starts once the credit is reserved. Rejects as `OpenSpeechBill` and `Synthesize` do. */
  readonly chunks: PushStream<SynthesisChunk>
  /**
   * Charges for this number of code points and returns the rest of the credit, even when the credit is reserved only later.
   * Only the first call has an effect.
   */
  settle(characters: number): void
}

/** Reserves the credit for a speech at once. */
export type OrderSpeech = (
  order: SpeechOrder,
  options: Pick<SynthesizeOptions, 'purpose' | 'aheadMs' | 'buffer'>,
) => OrderedSpeech

interface OrderSpeechOptions {
  readonly openBill: OpenSpeechBill
  readonly synthesize: Synthesize
  /** The maximum time to the first audio, in ms; longer for a slow voice. */
  readonly firstAudioDeadlineMs: number
}

export const createOrderSpeech =
  ({ openBill, synthesize, firstAudioDeadlineMs }: OrderSpeechOptions): OrderSpeech =>
  (order, options) => {
    const opening = openBill(order)
    // The failure is passed on by `chunks`.
    opening.catch(() => {})
    return {
      async chunks(sink, signal) {
        const bill = await opening
        signal.throwIfAborted()
        const { context, request } = order
        const deadlineMs = firstAudioDeadline(bill, firstAudioDeadlineMs)
        const speech = isSpeakable(request.text)
          ? synthesize(bill.request, { ...options, context, lane: bill.engine, deadlineMs })
          : unspoken(request)
        await speech(sink, signal)
      },
      settle(characters) {
        void opening.then(
          (bill) => bill.settle(characters),
          () => undefined,
        )
      },
    }
  }

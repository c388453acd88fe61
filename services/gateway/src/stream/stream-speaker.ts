import { firstAudioDeadline, type OpenSpeechBill, type Synthesize } from '@parlance/clients/speech'
import type { StreamGrant } from '@parlance/contracts'
import type { SpeakBatch } from './stream-context.js'

export interface StreamSpeakerOptions {
  readonly openBill: OpenSpeechBill
  readonly synthesize: Synthesize
  readonly firstAudioDeadlineMs: number
}

/** The maximum of unsent audio in a context; short enough that the audio of a slow engine is not delayed. */
const segmentBuffer = { maxBytes: 1024 * 1024, maxMs: 10_000, maxHoldMs: 250 }

/** Speaks the batches of one connection, and bills them to the workspace of its token. */
export const createStreamSpeaker = (
  { openBill, synthesize, firstAudioDeadlineMs }: StreamSpeakerOptions,
  grant: StreamGrant,
  requestId: string,
): SpeakBatch => {
  const context = { requestId }
  return async (request, { characters, isFirst, aheadMs }) => {
    const bill = await openBill({ principal: grant, request, characters, agentId: null, context })
    const speech = synthesize(bill.request, {
      context,
      lane: bill.engine,
      deadlineMs: firstAudioDeadline(bill, firstAudioDeadlineMs),
      purpose: isFirst ? 'stream' : 'continuation',
      aheadMs,
      buffer: segmentBuffer,
    })
    return { bill, speech }
  }
}

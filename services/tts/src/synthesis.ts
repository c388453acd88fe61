import { deliverAll, type PushStream } from '@parlance/async/push-stream'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { cutText, lookAhead } from '@parlance/speech'
import type { SpeechEvent, Utterance } from './engine/engine.js'
import type { RequestedVoice } from './requested-voice.js'
import { SynthesisWriter } from './synthesis-writer.js'

/** Speaks the segments of one request. */
export interface SegmentSynthesizer {
  readonly sampleRateHz: number
  /** Whether a segment begins only after the one before was spoken. Otherwise its first piece would precede the rest of that. */
  readonly isPiecewise: boolean
  /** Calls `onStart` when the engine begins to speak it. */
  speak(utterance: Utterance, onStart: () => void): PushStream<SpeechEvent>
}

type SegmentEvent = SpeechEvent | { readonly kind: 'end' }

/**
 * From a request to its chunks. The segments are spoken in order, each while the one before it is being sent. At most two
 * segments wait here, however slow the sink is. `acceptedMs` is the time of the request, on the clock of `performance`. Rejects
 * with the error of the synthesizer, after the chunks that precede it.
 */
export const synthesize =
  (
    synthesizer: SegmentSynthesizer,
    request: SynthesisRequest,
    { voice, variant, language }: RequestedVoice,
    { acceptedMs }: { readonly acceptedMs: number },
  ): PushStream<SynthesisChunk> =>
  async (sink, signal) => {
    const segments = cutText(request.text, request.cuts)
    const { speed, volume } = request
    // A word has about five phonemes, so they are produced only when they were requested.
    const phonemes = request.alignment.some((kind) => kind !== 'word')
    let startedMs: number | undefined
    const onStart = () => {
      startedMs ??= performance.now()
    }
    const speakSegment =
      (index: number): PushStream<SegmentEvent> =>
      async (sink, signal) => {
        const text = segments[index]!
        const utterance = { text, voiceId: voice.id, variant, language, speed, volume, phonemes, ahead: index > 0 }
        await synthesizer.speak(utterance, onStart)(sink, signal)
        await sink({ kind: 'end' })
      }

    let writer: SynthesisWriter | undefined
    const write = (writer: SynthesisWriter, event: SegmentEvent) =>
      deliverAll(event.kind === 'end' ? writer.endSegment() : writer.write(event), sink)
    const openAndWrite = async (event: SegmentEvent) => {
      const inputSampleRateHz = synthesizer.sampleRateHz
      startedMs ??= acceptedMs
      writer = await SynthesisWriter.open({ request, segments, inputSampleRateHz, acceptedMs, startedMs })
      await write(writer, event)
    }

    try {
      await lookAhead<number, SegmentEvent>({
        items: segments.keys(),
        produce: speakSegment,
        ahead: 1,
        opensNext: (_, { kind }) => !synthesizer.isPiecewise || kind === 'end',
        share: () => 0,
      })((event) => (writer === undefined ? openAndWrite(event) : write(writer, event)), signal)
      if (writer !== undefined) await sink((writer as SynthesisWriter).done())
    } finally {
      writer?.close()
    }
  }

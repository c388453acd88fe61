import {
  type ServiceError,
  type TranscriptionOutput,
  type TranscriptionRequest,
  transcriptionContract,
} from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

const segments: TranscriptionOutput[] = [
  { event: 'segment', start_ms: 250, end_ms: 1_750, text: 'Hello <there> & you.' },
  { event: 'segment', start_ms: 61_000, end_ms: 3_723_004, text: 'Good bye.' },
]

/** A recognizer with fixed results. Its requests are in `received`. */
export const createFakeTranscription = () => {
  const fake = {
    received: [] as { request: TranscriptionRequest; file: Buffer }[],
    durationMs: 3_724_001,
    /** The amount that is reported as decoded first; 0 for no report. */
    decodingMs: 0,
    language: 'en-GB',
    segments,
    recognizers: [
      { name: 'sherpa-onnx/whisper-tiny', languages: null as string[] | null, is_slow: false },
      { name: 'pocketsphinx', languages: ['en-US'], is_slow: false },
    ],
    /** Fails before the audio is decoded, or after the given number of segments. */
    failure: undefined as ServiceError | undefined,
    failsAfter: 0,
    /** Finished utterances that are recognized in the first part of a stream of audio. */
    utterances: [] as string[],
    /** Ends the next stream of audio when it is to be finalized. */
    listenFailure: undefined as ServiceError | undefined,
    /** Each segment waits for this. */
    beforeSegment: (_index: number): Promise<void> => Promise.resolve(),
    /** Called when a transcription ends: `left` when its caller disconnected before, else `recognized`. */
    onEnding: (_how: 'recognized' | 'left'): void => {},
  }
  const handlers = fakeHandlers(transcriptionContract, {
    async transcribe(request, { signal }, peer) {
      const parts: Uint8Array[] = []
      let onWhole = () => {}
      let onWish = () => {}
      const whole = new Promise<void>((resolve) => {
        onWhole = resolve
      })
      const wish = new Promise<void>((resolve) => {
        onWish = resolve
      })
      const received = peer.receive((chunk) => {
        if (chunk.kind === 'part') parts.push(Buffer.from(chunk.data))
        else if (chunk.kind === 'whole') onWhole()
        else onWish()
      })
      const left = new Promise<never>((_resolve, reject) => {
        received.catch(reject)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      left.catch(() => fake.onEnding('left'))
      await Promise.race([whole, left])
      fake.received.push({ request, file: Buffer.concat(parts) })
      if (fake.decodingMs > 0) await peer.send({ event: 'decoding', duration_ms: fake.decodingMs })
      if (fake.failure !== undefined && fake.failsAfter === 0) throw fake.failure
      peer.send({ event: 'decoded', duration_ms: fake.durationMs, language: fake.language })
      await Promise.race([wish, left])
      for (const [index, segment] of fake.segments.entries()) {
        if (fake.failure !== undefined && fake.failsAfter === index) throw fake.failure
        await Promise.race([fake.beforeSegment(index), left])
        signal.throwIfAborted()
        await peer.send(segment)
      }
      peer.send({ event: 'done' })
      fake.onEnding('recognized')
    },
    /** The text is the length of the audio: so far with each part, and at the end of an utterance. */
    async listen({ recognizer, language, encoding, sample_rate, finalized }, { fail }, peer) {
      if (recognizer === 'none') fail('not_found', 'There is no such model.')
      peer.send({ event: 'started', recognizer: recognizer ?? 'fake', language: language ?? 'en' })
      const perMs = ((encoding === 'pcm_s16le' ? 2 : 1) * sample_rate) / 1000
      let ms = 0
      let isFirst = true
      await peer.receive((chunk) => {
        if (chunk.kind === 'audio') {
          ms += chunk.data.length / perMs
          if (!isFirst) return
          isFirst = false
          for (const text of fake.utterances) {
            peer.send({ event: 'transcript', text, final: true, start_ms: 0, end_ms: ms, words: [] })
          }
          peer.send({ event: 'speech', started: true })
          return peer.send({ event: 'transcript', text: 'so far', final: false, start_ms: 0, end_ms: ms })
        }
        if (fake.listenFailure !== undefined) throw fake.listenFailure
        const words = [{ text: String(ms), start_ms: 0, end_ms: ms }]
        peer.send({ event: 'transcript', text: `${ms} ms`, final: true, start_ms: 0, end_ms: ms, words })
        return finalized ? peer.send({ event: 'finalized' }) : undefined
      })
    },
    listRecognizers: () => ({ recognizers: fake.recognizers }),
  })
  return { fake, handlers }
}

import type { ListenOutput } from '@parlance/contracts'
import type { Recognition, RecognitionOptions, Recognizer, Transcription } from '../../src/stt/recognizer.js'
import { createListenedAudio, createListening } from '../../src/transcription/listening.js'

interface OpenedUtterance extends RecognitionOptions {
  samples: number
  hasFinished: boolean
  resolve(text: string, words?: Transcription['words']): void
  reject(error: Error): void
}

/** A detector that takes samples other than zero for a voice, and a recognizer whose texts the test decides. */
const createScene = () => {
  const opened: OpenedUtterance[] = []
  const events: Exclude<ListenOutput, { event: 'started' }>[] = []
  const failures: unknown[] = []
  const recognizer: Recognizer = {
    name: 'fake',
    languages: ['en'],
    open(options): Recognition {
      let settle: Pick<OpenedUtterance, 'resolve' | 'reject'> | undefined
      const text = new Promise<Pick<Transcription, 'text' | 'words'>>((resolve, reject) => {
        settle = { resolve: (text, words) => resolve({ text, words }), reject }
      })
      const utterance: OpenedUtterance = { ...options, ...settle!, samples: 0, hasFinished: false }
      opened.push(utterance)
      text.catch(() => {})
      return {
        push: ({ length }) => {
          utterance.samples += length
        },
        finish: async () => {
          utterance.hasFinished = true
          return { ...(await text), audioMs: utterance.samples / 16 }
        },
        cancel: () => utterance.reject(new Error('cancelled')),
      }
    },
    close: async () => {},
  }
  const listening = createListening({
    recognizer,
    language: 'en',
    detector: {
      detect: (frame) => frame.some((sample) => sample !== 0),
      changedAgoMs: () => 0,
      reset() {},
    },
    onEvent: (event) => events.push(event),
    onFailure: (error) => failures.push(error),
  })
  const voice = (ms: number) => listening.push(new Int16Array(ms * 16).fill(1))
  const silence = (ms: number) => listening.push(new Int16Array(ms * 16))
  return { listening, opened, events, failures, voice, silence }
}

test('nothing is recognized in a silence, and an utterance is reported from its voice to its pause', async () => {
  const { listening, opened, events, voice, silence } = createScene()
  silence(1_000)
  expect(opened).toHaveLength(0)
  voice(2_000)
  expect(events).toEqual([{ event: 'speech', started: true, at_ms: 700 }])
  opened[0]!.onPartial('hello')
  expect(events[1]).toEqual({ event: 'transcript', text: 'hello', final: false, start_ms: 700, end_ms: 3_000 })
  silence(1_000)
  expect(events[2]).toEqual({ event: 'speech', started: false, at_ms: 3_300 })
  opened[0]!.resolve('hello there')
  await listening.reported()
  expect(events[3]).toEqual({ event: 'transcript', text: 'hello there', final: true, start_ms: 700, end_ms: 3_300 })
  expect(events).toHaveLength(4)
  // The margin, the voice and the pause.
  expect(opened[0]!.samples).toBe((300 + 2_000 + 700) * 16)
})

test('finalize ends an utterance without a pause, and does nothing in a silence', async () => {
  const { listening, opened, voice, silence } = createScene()
  silence(500)
  listening.finalize()
  expect(opened).toHaveLength(0)
  voice(500)
  listening.finalize()
  opened[0]!.resolve('hello')
  await listening.reported()
  expect(opened[0]!.hasFinished).toBe(true)
  voice(500)
  expect(opened).toHaveLength(2)
})

test('the words of a recognizer that knows their times are reported on the clock of the audio', async () => {
  const { listening, opened, events, voice, silence } = createScene()
  silence(1_000)
  voice(500)
  listening.finalize()
  opened[0]!.resolve('hello', [{ text: 'hello', startMs: 300, endMs: 700.4 }])
  await listening.reported()
  expect(events.at(-1)).toMatchObject({ text: 'hello', words: [{ text: 'hello', start_ms: 1_000, end_ms: 1_400 }] })
})

test('texts are reported in the order of their utterances', async () => {
  const { listening, opened, events, voice } = createScene()
  for (let utterance = 0; utterance < 2; utterance++) {
    voice(500)
    listening.finalize()
  }
  opened[1]!.onPartial('sec')
  opened[1]!.resolve('second')
  await new Promise(setImmediate)
  // Its time limit would include the recognition of the first.
  expect(opened.map(({ hasFinished }) => hasFinished)).toEqual([true, false])
  opened[0]!.resolve('first')
  await listening.reported()
  const texts = events.flatMap((event) => (event.event === 'transcript' ? [[event.text, event.final]] : []))
  expect(texts).toEqual([
    ['first', true],
    ['sec', false],
    ['second', true],
  ])
})

test('a failure is reported, and nothing is reported after a cancellation', async () => {
  const failing = createScene()
  failing.voice(500)
  failing.listening.finalize()
  const failure = new Error('broken')
  failing.opened[0]!.reject(failure)
  await failing.listening.reported()
  expect(failing.failures).toEqual([failure])

  const cancelled = createScene()
  cancelled.voice(500)
  cancelled.listening.finalize()
  cancelled.listening.cancel()
  await cancelled.listening.reported()
  expect([cancelled.failures, cancelled.events.filter(({ event }) => event === 'transcript')]).toEqual([[], []])
})

test('audio whose parts end within a sample is joined, and µ-law of 8 kHz has twice the samples', () => {
  const toSamples = createListenedAudio({ encoding: 'pcm_s16le', sample_rate: 16_000 })
  const pcm = [Uint8Array.of(1), Uint8Array.of(2, 3), Uint8Array.of(4)].flatMap((part) => [...toSamples(part)])
  expect(pcm).toEqual([0x0201, 0x0403])
  const fromUlaw = createListenedAudio({ encoding: 'ulaw', sample_rate: 8_000 })
  const { length } = fromUlaw(new Uint8Array(8_000).fill(0xff))
  expect(length).toBeGreaterThan(15_500)
  expect(length).toBeLessThanOrEqual(16_000)
})

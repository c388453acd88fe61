import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { concatPcm } from '@parlance/audio'
import type { HostedRecognizer } from '@parlance/engine/host'
import { readRecognitionFolder } from '@parlance/models'
import { spokenInTones, toneRecognizerKinds, writeToneRecognizer } from '@parlance/testing'
import { speechWindows } from '../src/offline-recognizer.js'
import { openRecognizer } from '../src/recognizer.js'

const speech = spokenInTones('please', 'tell', 'me', 'the', 'time')

describe.each(toneRecognizerKinds)('a %s model', (kind) => {
  let home: string
  let recognizer: HostedRecognizer
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'parlance-recognizer-'))
    const path = join(home, 'tones-en')
    await writeToneRecognizer(path, { kind })
    const reading = await readRecognitionFolder(path)
    if ('problems' in reading) throw new Error(reading.problems.join('\n'))
    recognizer = await openRecognizer(reading.model, 1)
  })
  afterAll(() => rm(home, { recursive: true }))

  const recognize = (samples: Int16Array, atOnce: number) => {
    const texts = new Set<string>()
    recognizer.begin({ language: 'en', acoustics: null })
    for (let at = 0; at < samples.length; at += atOnce) {
      recognizer.accept(samples.subarray(at, at + atOnce))
      texts.add(recognizer.text())
    }
    recognizer.end()
    return { text: recognizer.text(), texts }
  }

  test.each([160, 1600, 100_000])('recognizes every word, however the audio is divided (%d samples)', (atOnce) => {
    expect(recognize(speech, atOnce).text).toBe('please tell me the time')
  })

  test('reports whether it recognizes during an utterance, and does so', () => {
    const { texts } = recognize(speech, 320)
    expect(recognizer.hello.streaming).toBe(kind === 'streaming')
    expect(texts.size).toBe(kind === 'streaming' ? 6 : 1)
  })

  test('recognizes the last word, however soon it ends', () => {
    const cut = speech.subarray(0, speech.length - 1600)
    expect(recognize(cut, 1600).text).toBe('please tell me the time')
  })

  test('recognizes nothing in silence, in no audio and in an abandoned utterance', () => {
    expect(recognize(new Int16Array(16_000), 1600).text).toBe('')
    expect(recognize(new Int16Array(0), 1600).text).toBe('')
    expect(recognize(new Int16Array(100).fill(9), 1600).text).toBe('')
    recognizer.begin({ language: 'en', acoustics: null })
    recognizer.accept(speech)
    recognizer.begin({ language: 'en', acoustics: null })
    expect(recognizer.text()).toBe('')
    recognizer.end()
    expect(recognizer.text()).toBe('')
  })

  test('recognizes utterances in any language', () => {
    for (const language of ['de', 'en-GB', 'fr', '', 'tlh-Latn']) {
      recognizer.begin({ language, acoustics: null })
      recognizer.accept(speech)
      recognizer.end()
      expect(recognizer.text()).toBe('please tell me the time')
    }
  })

  test('recognizes an utterance that is longer than the audio that its model was made for', () => {
    const long = new Int16Array(36 * 16_000)
    for (const second of [1, 15, 27, 33]) long.set(speech, second * 16_000)
    expect(recognize(long, 160_000).text).toBe(new Array(4).fill('please tell me the time').join(' '))
  })
})

test('audio is divided at its pauses, without a loss, into parts of at most 28 s', () => {
  const seconds = 60
  const audio = Int16Array.from({ length: seconds * 16_000 }, (_, at) => (at % 80_000 < 72_000 ? 1000 + (at % 7) : 0))
  const windows = speechWindows(audio, 28_000)
  expect(windows.map(({ length }) => length / 16_000 <= 28)).toEqual([true, true, true])
  expect(concatPcm(windows)).toEqual(audio)
  for (const window of windows.slice(1)) expect(window[0]).toBe(0)
  expect(speechWindows(new Int16Array(0), 28_000)).toEqual([new Int16Array(0)])
})

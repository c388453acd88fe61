import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostedRecognizer } from '@parlance/engine/host'
import { readRecognitionFolder } from '@parlance/models'
import { spokenInTones, type ToneRecognizerKind, writeToneRecognizer } from '@parlance/testing'
import { openRecognizer } from '../src/recognizer.js'

const speech = spokenInTones('please', 'tell', 'me', 'the', 'time')

describe.each<ToneRecognizerKind>(['streaming', 'sense-voice'])('a %s model', (kind) => {
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
})

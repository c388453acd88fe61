import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostedRecognizer } from '@parlance/engine/host'
import { readRecognitionFolder } from '@parlance/models'
import { spokenInTones, type ToneRecognizerKind, writeToneRecognizer } from '@parlance/testing'
import { openHearer } from '../src/recognizer.js'

const speech = spokenInTones('please', 'tell', 'me', 'the', 'time')

describe.each<ToneRecognizerKind>(['streaming', 'sense-voice'])('a %s model', (kind) => {
  let home: string
  let hearer: HostedRecognizer
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'parlance-hearer-'))
    const path = join(home, 'tones-en')
    await writeToneRecognizer(path, { kind })
    const reading = await readRecognitionFolder(path)
    if ('problems' in reading) throw new Error(reading.problems.join('\n'))
    hearer = await openHearer(reading.model, 1)
  })
  afterAll(() => rm(home, { recursive: true }))

  const hear = (samples: Int16Array, atOnce: number) => {
    const texts = new Set<string>()
    hearer.begin({ language: 'en', acoustics: null })
    for (let at = 0; at < samples.length; at += atOnce) {
      hearer.hear(samples.subarray(at, at + atOnce))
      texts.add(hearer.text())
    }
    hearer.end()
    return { text: hearer.text(), texts }
  }

  test.each([160, 1600, 100_000])('understands all that is said, however it is cut (%d samples)', (atOnce) => {
    expect(hear(speech, atOnce).text).toBe('please tell me the time')
  })

  test('tells whether it understands while somebody speaks, and does so', () => {
    const { texts } = hear(speech, 320)
    expect(hearer.hello.streaming).toBe(kind === 'streaming')
    expect(texts.size).toBe(kind === 'streaming' ? 6 : 1)
  })

  test('understands the last word, however soon it ends', () => {
    const cut = speech.subarray(0, speech.length - 1600)
    expect(hear(cut, 1600).text).toBe('please tell me the time')
  })

  test('understands nothing in silence, in nothing, and in what was left unsaid', () => {
    expect(hear(new Int16Array(16_000), 1600).text).toBe('')
    expect(hear(new Int16Array(0), 1600).text).toBe('')
    expect(hear(new Int16Array(100).fill(9), 1600).text).toBe('')
    hearer.begin({ language: 'en', acoustics: null })
    hearer.hear(speech)
    hearer.begin({ language: 'en', acoustics: null })
    expect(hearer.text()).toBe('')
    hearer.end()
    expect(hearer.text()).toBe('')
  })
})

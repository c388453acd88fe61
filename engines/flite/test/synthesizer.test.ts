import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { EngineUnavailableError, SpeechRefusedError } from '@parlance/engine/host'
import type { SpeechMarks } from '@parlance/engine/protocol'
import { describeWithPrograms } from '@parlance/testing'
import { vi } from 'vitest'
import { openSynthesizer, type Synthesizer, voices } from '../src/index.js'

const commandOf = (text: string, voiceId = voices[0]!.id) => ({
  text,
  voiceId,
  variant: 'flite',
  language: null as string | null,
  speed: 1,
  volume: 1,
})

const rms = (samples: readonly number[]) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

describeWithPrograms(['flite'], 'flite', () => {
  let synthesizer: Synthesizer
  beforeAll(async () => {
    synthesizer = await openSynthesizer()
  })

  const hear = (command: ReturnType<typeof commandOf>) => {
    const samples: number[] = []
    const batches: SpeechMarks[] = []
    const order: string[] = []
    synthesizer.speak(command, {
      audio: (block) => {
        for (const sample of block) samples.push(sample)
        order.push('audio')
        return true
      },
      marks: (marks) => {
        batches.push(marks)
        order.push('marks')
      },
    })
    return {
      samples,
      order,
      words: batches.flatMap(({ words }) => words),
      phonemes: batches.flatMap(({ phonemes }) => phonemes),
      pauseMs: batches.at(-1)?.pauseMs ?? 0,
      audioMs: (samples.length * 1000) / synthesizer.sampleRateHz,
    }
  }
  const say = (text: string) => hear(commandOf(text))

  it('speaks as before when the process has opened another, which makes the same speech', async () => {
    // Of Hal, whose voice alone has no noise in it.
    const command = { ...commandOf('One moment, please.', voices[3]!.id), speed: 1.5 }
    const first = hear(command).samples
    const another = await openSynthesizer()
    expect(hear(command).samples).toEqual(first)
    const samples: number[] = []
    another.speak(command, { audio: (block) => samples.push(...block) > 0, marks: () => {} })
    expect(samples).toEqual(first)
  })

  it('has four voices, each of which speaks, loudly enough and unclipped', () => {
    expect(synthesizer.voices).toHaveLength(4)
    for (const { id } of synthesizer.voices) {
      const { samples, words } = hear(commandOf('Anna, papa and mama are at the lake.', id))
      expect(words).toHaveLength(8)
      expect(rms(samples)).toBeGreaterThan(700)
      expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(32_767)
    }
  })

  it('keeps the ids of its voices forever', () => {
    expect(voices.map(({ displayName, id }) => [displayName, id])).toEqual([
      ['Nell', '7355d11ed7adc2d6b740e483a623ba41'],
      ['Rufus', 'bc4ac8c0b3f46fd8370a8b5e3c9cf24a'],
      ['Ewan', '0824c67331ff1c437cad108388551076'],
      ['Hal', '9fc3edc918203e6f459e524348d7cbc3'],
    ])
  })

  it('reports words as in the text, and their sounds in IPA with the stress', () => {
    const text = '“Élise’s” table costs $5.99 & 2 naïve (really) front-desk people… on the 24th.'
    const { words, phonemes } = say(text)
    expect(words.map((word) => word.text)).toEqual([
      'Élise’s',
      'table',
      'costs',
      '$5.99',
      '&',
      '2',
      'naïve',
      'really',
      'front-desk',
      'people',
      'on',
      'the',
      '24th',
    ])
    for (const word of words) expect(text.slice(word.textStart, word.textEnd)).toBe(word.text)
    const table = words[1]!
    const sounds = phonemes.filter(({ startMs }) => startMs >= table.startMs && startMs < table.endMs)
    expect(sounds.map(({ ipa }) => ipa)).toEqual(['t', 'ˈeɪ', 'b', 'ə', 'l'])
  })

  it('sends the marks of a sentence after its audio, and before the next sentence', () => {
    const { order, words, audioMs } = say('One and two. Three and four. Five and six.')
    expect(order.filter((kind) => kind === 'marks')).toHaveLength(3)
    expect(order.at(-1)).toBe('marks')
    expect(words.map((word) => word.text).join(' ')).toBe('One and two Three and four Five and six')
    let clockMs = 0
    for (const { startMs, endMs } of words) {
      expect(startMs).toBeGreaterThanOrEqual(clockMs)
      expect(endMs).toBeGreaterThan(startMs)
      clockMs = endMs
    }
    expect(clockMs).toBeLessThanOrEqual(audioMs)
  })

  const sentences = [
    'The train leaves at nine.',
    ' Is that soon enough?',
    ' I hope so!',
    ' We could walk…\n\n',
    'Well, no.',
  ]
  const clauses = ['The train leaves at nine o’clock,', ' so let us go.']
  for (const speed of [0.5, 1, 2]) {
    it(`pauses between segments as within a text, at speed ${speed}`, () => {
      for (const { id } of synthesizer.voices) {
        for (const segments of [sentences, clauses]) {
          const parts = segments.map((text) => hear({ ...commandOf(text, id), speed }))
          const pausesMs = parts.slice(0, -1).reduce((sum, { pauseMs }) => sum + pauseMs, 0)
          const joinedMs = parts.reduce((sum, { audioMs }) => sum + audioMs, pausesMs)
          const wholeMs = hear({ ...commandOf(segments.join(''), id), speed }).audioMs
          expect(Math.abs(joinedMs / wholeMs - 1)).toBeLessThan(0.01)
        }
      }
    })
  }

  it('pauses longest after a paragraph, then after a sentence, and no longer after a comma than within a clause', () => {
    for (const { id } of synthesizer.voices) {
      const after = (text: string, speed = 1) => hear({ ...commandOf(text, id), speed }).pauseMs
      expect(after('We went home.')).toBeGreaterThan(after('We went home,') + 70)
      expect(after('We went home?”')).toBeGreaterThan(after('We went home,') + 70)
      expect(after('We went home.\n\n')).toBeGreaterThan(after('We went home.') + 200)
      expect(after('We went home.', 0.5)).toBeGreaterThan(1.5 * after('We went home.'))
      expect(after('We went home,') - after('We went home')).toBeLessThan(20)
    }
  })

  it('makes every full stop longer than a comma, by at least 300 ms of silence', () => {
    for (const { id } of synthesizer.voices) {
      const { words } = hear(commandOf('One banana, two bananas. Three bananas.', id))
      const gapMs = (index: number) => words[index]!.startMs - words[index - 1]!.endMs
      expect(gapMs(4)).toBeGreaterThan(300)
      expect(gapMs(4)).toBeGreaterThan(1.3 * gapMs(2))
    }
  })

  it('ends the audio shortly after the last sound', () => {
    for (const { id } of synthesizer.voices) {
      const { words, audioMs } = hear(commandOf('We went home.', id))
      expect(audioMs - words.at(-1)!.endMs).toBeLessThan(30)
    }
  })

  it('is loud in a word and silent in a pause', () => {
    const { samples, words } = say('Banana. Banana. Banana.')
    const loudness = (fromMs: number, toMs: number) =>
      rms(samples.slice((fromMs * synthesizer.sampleRateHz) / 1000, (toMs * synthesizer.sampleRateHz) / 1000))
    expect(words).toHaveLength(3)
    for (const [index, { startMs, endMs }] of words.entries()) {
      expect(loudness(startMs + 20, endMs - 20)).toBeGreaterThan(700)
      const next = words[index + 1]
      if (next !== undefined) expect(loudness(endMs + 60, next.startMs - 30)).toBeLessThan(200)
    }
  })

  it('applies the requested speed, and no job affects the next', () => {
    const plain = say('Some words to say.')
    const fast = hear({ ...commandOf('Some words to say.'), speed: 2 })
    const slow = hear({ ...commandOf('Some words to say.'), speed: 0.5 })
    expect(fast.audioMs).toBeLessThan(plain.audioMs * 0.7)
    expect(slow.audioMs).toBeGreaterThan(plain.audioMs * 1.5)
    const again = say('Some words to say.')
    expect(again.audioMs).toBe(plain.audioMs)
    expect(again.phonemes).toEqual(plain.phonemes)
  })

  it('stops within a block when the output is no longer wanted, and sends no marks', () => {
    let blocks = 0
    const marks = vi.fn()
    synthesizer.speak(commandOf('One, two, three, four, five. Six, seven, eight.'), {
      audio: () => ++blocks < 3,
      marks,
    })
    expect(blocks).toBe(3)
    expect(marks).not.toHaveBeenCalled()
    expect(say('Seven.').words).toHaveLength(1)
  })

  it('keeps its native objects when garbage is collected', () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    for (const { id } of synthesizer.voices) {
      collectGarbage()
      expect(hear(commandOf('Still here.', id)).words).toHaveLength(2)
    }
  })

  it('throws the error of its listener, and can speak again', () => {
    const broken = () => {
      throw new Error('no more')
    }
    expect(() => synthesizer.speak(commandOf('Hello.'), { audio: broken, marks: () => {} })).toThrow('no more')
    expect(say('Hello.').words).toHaveLength(1)
  })

  it('refuses an unknown voice, variant or language, without audio', () => {
    const silent = { audio: vi.fn(() => true), marks: vi.fn() }
    for (const wrong of [{ voiceId: 'slt' }, { variant: 'standard' }, { language: 'fr' }]) {
      expect(() => synthesizer.speak({ ...commandOf('Hi.'), ...wrong }, silent)).toThrow(SpeechRefusedError)
    }
    expect(silent.audio).not.toHaveBeenCalled()
  })
})

describe('without flite', () => {
  it('names the package to install', async () => {
    const opening = openSynthesizer('/nowhere')
    await expect(opening).rejects.toThrow(EngineUnavailableError)
    await expect(opening).rejects.toThrow(
      /^flite is not installed: libflite\S+ is missing or cannot be loaded \(Debian: apt-get install libflite1\)$/,
    )
  })
})

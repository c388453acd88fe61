import { SpeechRefusedError } from '@parlance/engine/host'
import type { SpeechMarks } from '@parlance/engine/protocol'
import fc from 'fast-check'
import { openSynthesizer, type Synthesizer, voices } from '../src/index.js'
import { describeImplementations } from './describe-implementations.js'

const command = (text: string) => ({
  text,
  voiceId: voices[0]!.id,
  variant: 'standard',
  language: null as string | null,
  speed: 1,
  volume: 1,
})

const hear = (synthesizer: Synthesizer, text: string): SpeechMarks & { samples: Int16Array } => {
  const blocks: Int16Array[] = []
  const marks = synthesizer.speak(command(text), (block) => blocks.push(block.slice()) > 0)
  const samples = new Int16Array(blocks.reduce((length, block) => length + block.length, 0))
  let at = 0
  for (const block of blocks) {
    samples.set(block, at)
    at += block.length
  }
  return { ...marks!, samples }
}

const ipaOf = (marks: SpeechMarks, fromMs = 0, toMs = Number.POSITIVE_INFINITY): string =>
  marks.phonemes
    .filter(({ startMs }) => startMs >= fromMs && startMs < toMs)
    .map(({ ipa }) => ipa.replace(/[ˈˌ]/g, ''))
    .join('')

describeImplementations('the synthesizer', (implementation) => {
  let synthesizer: Synthesizer
  beforeAll(async () => {
    synthesizer = await openSynthesizer({ implementation })
  })
  const speak = (text: string) => hear(synthesizer, text)

  it('stops within a block when the output is no longer wanted', () => {
    let blocks = 0
    const marks = synthesizer.speak(command('One, two, three, four, five. Six, seven, eight.'), () => ++blocks < 3)
    expect(marks).toBeUndefined()
    expect(blocks).toBe(3)
    expect(ipaOf(speak('Seven.'))).toBe('sɛvən')
  })

  it('refuses an unknown voice, variant or language, without audio', () => {
    const silent = () => {
      throw new Error('it spoke')
    }
    for (const wrong of [{ voiceId: 'ada' }, { variant: 'neural' }, { language: 'fr' }]) {
      expect(() => synthesizer.speak({ ...command('Hi.'), ...wrong }, silent)).toThrow(SpeechRefusedError)
    }
  })

  it('reports the same words without phonemes when no phonemes are requested', () => {
    const all = synthesizer.speak(command('One, two, three.'), () => true)!
    const words = synthesizer.speak({ ...command('One, two, three.'), phonemes: false }, () => true)
    expect(all.phonemes.length).toBeGreaterThan(0)
    expect(words).toEqual({ ...all, phonemes: [], pauseMs: expect.any(Number) })
  })

  it('accepts a language tag in any case', () => {
    expect(synthesizer.speak({ ...command('Hi.'), language: 'EN-us' }, () => true)).toBeDefined()
  })

  it('reports the exact time of a word in any context', () => {
    const junk = fc.array(
      fc.oneof(
        fc.constantFrom(
          '<speak>',
          '</b>',
          '&amp;',
          '&',
          '&#65;',
          '[[',
          '😀',
          '👨‍👩‍👧',
          '日本',
          'é',
          '—',
          '\0',
          '\u0001V',
          '2024',
          '"',
          'of the',
        ),
        fc.lorem({ maxCount: 2 }),
      ),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(junk, junk, (before, after) => {
        const text = [...before, 'elephants', ...after].join(' ')
        const marks = speak(text)
        const word = marks.words.find((candidate) => candidate.text === 'elephants')!
        expect(word.textStart).toBe(text.indexOf('elephants'))
        expect(ipaOf(marks, word.startMs, word.endMs)).toMatch(/^ɛlɪfənts$/)
      }),
      { numRuns: 60 },
    )
  })

  it('reports when sounds begin: the audio is loud before a pause and silent in it', () => {
    const { samples, words } = speak('Banana, banana, banana, banana.')
    const loudness = (fromMs: number, toMs: number) => {
      const part = samples.subarray(
        (fromMs * synthesizer.sampleRateHz) / 1000,
        (toMs * synthesizer.sampleRateHz) / 1000,
      )
      return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length)
    }
    expect(words).toHaveLength(4)
    for (const [index, { startMs, endMs }] of words.entries()) {
      expect(loudness(startMs + 20, endMs - 20)).toBeGreaterThan(1000)
      const next = words[index + 1]
      if (next !== undefined) expect(loudness(endMs + 40, next.startMs - 10)).toBeLessThan(100)
    }
  })

  const joins = {
    en: ['The train leaves at nine.', ' Is that soon enough?', ' I hope so!', ' We could walk,', ' which takes long;'],
    de: ['Der Zug fährt um neun.', ' Ist das früh genug?', ' Ich hoffe es!', ' „Gut so.“', ' Wir gehen zu Fuß…'],
    fr: ['Le train part à neuf heures.', ' Est-ce assez tôt ?', ' Je l’espère !', ' On peut marcher :', ' c’est loin,'],
    es: ['El tren sale a las nueve.', ' ¿Es bastante pronto?', ' ¡Eso espero!\n\n', 'Podemos andar —', ' está lejos.'],
    pl: [
      'Pociąg odjeżdża o dziewiątej.',
      ' Czy to dość wcześnie?',
      ' Mam nadzieję!',
      ' Możemy iść,',
      ' choć to daleko.',
    ],
  }
  for (const [language, segments] of Object.entries(joins)) {
    for (const speed of [0.5, 1, 2]) {
      it(`pauses between segments as within a text: ${language}, at speed ${speed}`, () => {
        for (const voice of voices.filter(({ languages }) => languages[0]!.startsWith(language))) {
          const lengthOf = (text: string) => {
            let samples = 0
            const spoken = { ...command(text), voiceId: voice.id, speed }
            const { pauseMs } = synthesizer.speak(spoken, (block) => {
              samples += block.length
              return true
            })!
            return { audioMs: (samples * 1000) / synthesizer.sampleRateHz, pauseMs: pauseMs! }
          }
          const parts = [...segments, ' Good.'].map(lengthOf)
          const pausedMs = parts.slice(0, -1).reduce((sum, { pauseMs }) => sum + pauseMs, 0)
          const joinedMs = parts.reduce((sum, { audioMs }) => sum + audioMs, pausedMs)
          const wholeMs = lengthOf(`${segments.join('')} Good.`).audioMs
          expect(Math.abs(joinedMs / wholeMs - 1)).toBeLessThan(0.03)
        }
      })
    }
  }

  it('pauses according to the punctuation, less at a higher speed, and never within a sentence', () => {
    const pauseMs = (text: string, speed = 1) =>
      synthesizer.speak({ ...command(text), voiceId: voices[2]!.id, speed }, () => true)!.pauseMs!
    expect(pauseMs('We went home')).toBeLessThan(20)
    expect(pauseMs('We went home,')).toBeGreaterThan(100)
    expect(pauseMs('We went home;')).toBeGreaterThan(1.3 * pauseMs('We went home,'))
    expect(pauseMs('We went home…')).toBeGreaterThan(1.3 * pauseMs('We went home,'))
    expect(pauseMs('We went home.')).toBeGreaterThan(1.2 * pauseMs('We went home;'))
    expect(pauseMs('We went home.\n\n')).toBeGreaterThan(1.5 * pauseMs('We went home.'))
    expect(pauseMs('We went home\n\n')).toBeGreaterThan(1.5 * pauseMs('We went home.'))
    expect(pauseMs('We went home.', 0.5)).toBeGreaterThan(2 * pauseMs('We went home.'))
    expect(pauseMs('We went home.', 2)).toBeLessThan(pauseMs('We went home.') / 2)
    expect(pauseMs('—')).toBe(0)
  })

  it('ends the audio shortly after the last sound', () => {
    for (const text of ['We went home.', 'We went home', 'We went home\n\n', 'Nothing more, please…']) {
      const { samples } = speak(text)
      const last = samples.findLastIndex((sample) => Math.abs(sample) > 50)
      expect(samples.length - last).toBeLessThan((30 * synthesizer.sampleRateHz) / 1000)
    }
  })

  it.each(['a.', 'á.', 'а.', '我.', 'a..', 'U.S.A.', 'I.O.U.', 'a . ', '🇩🇪🇩🇪-अअ', '🇩🇩🇩-अअ'])(
    'speaks %s many times, and reports the time of the word after it',
    (unit) => {
      const text = `${unit.repeat(100)}\n\nNow, elephants.`
      const marks = speak(text)
      const word = marks.words.find((candidate) => candidate.text === 'elephants')!
      expect(word.textStart).toBe(text.indexOf('elephants'))
      expect(ipaOf(marks, word.startMs, word.endMs)).toMatch(/^ɛlɪfənts$/)
    },
  )

  it('speaks each of two flags that are joined', () => {
    const { words } = speak('From 🇩🇪🇫🇷 now.')
    expect(words.map(({ text }) => text)).toEqual(['From', '🇩🇪', '🇫🇷', 'now'])
  })

  it('gives words that are spoken together their shares of the time', () => {
    const { words } = speak('Out of the house.')
    expect(words.map(({ text }) => text)).toEqual(['Out', 'of', 'the', 'house'])
    for (const { startMs, endMs } of words) expect(endMs).toBeGreaterThan(startMs)
  })
})

import { jest } from '@jest/globals'
import { SpeechRefusedError } from '@parlance/engine-host'
import type { SpeechMarks } from '@parlance/engine-protocol'
import fc from 'fast-check'
import { openSpeaker, type Speaker, voices } from '../src/index.js'
import { describeImplementations } from './describe-implementations.js'

jest.setTimeout(60_000)

const command = (text: string) => ({
  text,
  voiceId: voices[0]!.id,
  variant: 'standard',
  language: null as string | null,
  speed: 1,
  volume: 1,
})

const hear = (speaker: Speaker, text: string): SpeechMarks & { samples: Int16Array } => {
  const blocks: Int16Array[] = []
  const marks = speaker.speak(command(text), (block) => blocks.push(block.slice()) > 0)
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

describeImplementations('the speaker', (implementation) => {
  let speaker: Speaker
  beforeAll(async () => {
    speaker = await openSpeaker({ implementation })
  })
  const speak = (text: string) => hear(speaker, text)

  it('stops within a block when nobody wants more', () => {
    let blocks = 0
    const marks = speaker.speak(command('One, two, three, four, five. Six, seven, eight.'), () => ++blocks < 3)
    expect(marks).toBeUndefined()
    expect(blocks).toBe(3)
    expect(ipaOf(speak('Seven.'))).toBe('sɛvən')
  })

  it('refuses what it does not offer, and says nothing', () => {
    const silent = () => {
      throw new Error('it spoke')
    }
    for (const wrong of [{ voiceId: 'ada' }, { variant: 'neural' }, { language: 'fr' }]) {
      expect(() => speaker.speak({ ...command('Hi.'), ...wrong }, silent)).toThrow(SpeechRefusedError)
    }
  })

  it('tells of the same words, and of no phonemes, where nobody wants to know of phonemes', () => {
    const all = speaker.speak(command('One, two, three.'), () => true)!
    const words = speaker.speak({ ...command('One, two, three.'), phonemes: false }, () => true)
    expect(all.phonemes.length).toBeGreaterThan(0)
    expect(words).toEqual({ ...all, phonemes: [] })
  })

  it('takes a language tag in any case', () => {
    expect(speaker.speak({ ...command('Hi.'), language: 'EN-us' }, () => true)).toBeDefined()
  })

  it('knows exactly when a word is said, whatever stands around it', () => {
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

  it('times sounds by when they begin: it is loud before a pause and silent in it', () => {
    const { samples, words } = speak('Banana, banana, banana, banana.')
    const loudness = (fromMs: number, toMs: number) => {
      const part = samples.subarray((fromMs * speaker.sampleRateHz) / 1000, (toMs * speaker.sampleRateHz) / 1000)
      return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length)
    }
    expect(words).toHaveLength(4)
    for (const [index, { startMs, endMs }] of words.entries()) {
      expect(loudness(startMs + 20, endMs - 20)).toBeGreaterThan(1000)
      const next = words[index + 1]
      if (next !== undefined) expect(loudness(endMs + 40, next.startMs - 10)).toBeLessThan(100)
    }
  })

  it('gives words that are said together their shares of the time', () => {
    const { words } = speak('Out of the house.')
    expect(words.map(({ text }) => text)).toEqual(['Out', 'of', 'the', 'house'])
    for (const { startMs, endMs } of words) expect(endMs).toBeGreaterThan(startMs)
  })
})

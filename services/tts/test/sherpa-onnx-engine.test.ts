import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { describeWithPrograms, findEspeakData, type ToneModelShape } from '@parlance/testing'
import type { Engine } from '../src/engine/engine.js'
import { begin, finish } from './engine-scene.js'
import {
  audioOf,
  codeOf,
  healthy,
  hear,
  type Line,
  newModelsDir,
  open,
  openOne,
  pitchOf,
  saying,
  speech,
  useModelsHome,
} from './sherpa-onnx-scene.js'

useModelsHome()

describe('a model that is spoken with', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = (await openOne({ speakers: 2 })).engine
  })

  it('is an engine with a voice for each speaker, offering words and their times', () => {
    expect(engine).toMatchObject({ name: 'local-tones', sampleRateHz: 16_000, capacity: 1 })
    expect(engine.info).toMatchObject({
      implementation: 'sherpa-onnx',
      model: 'tones',
      kind: 'vits',
      version: '1.13.8',
    })
    expect(engine.voices).toMatchObject([
      { display_name: 'Tones 1', languages: ['en'], variants: [{ id: 'tones', alignment: ['word'] }] },
      { display_name: 'Tones 2' },
    ])
  })

  it('speaks all phonemes of the text in order', async () => {
    // Two words of 3 and 4 phonemes, each with a space after it, and a full stop between spaces: 50 ms each.
    const { samples, words, kinds } = await hear(engine, 'Hello world.')
    expect(samples).toBe(11 * 800)
    expect(words.map(({ text }) => text)).toEqual(['Hello', 'world'])
    expect(kinds.at(-1)).toBe('marks')
  })

  it('delivers the first sentence and its times as soon as it is produced, before the next', async () => {
    const { kinds } = await hear(engine, 'Hello world. One two three. Four!')
    const changes = kinds.filter((kind, index) => kind !== kinds[index - 1])
    expect(changes.slice(0, 3)).toEqual(['audio', 'marks', 'audio'])
    expect(kinds.filter((kind) => kind === 'marks')).toHaveLength(3)
    expect(kinds.at(-1)).toBe('marks')
  })

  it('pauses between sentences and clauses as their punctuation asks for, of which the model makes a part', async () => {
    const { pauseMs, audioMs } = await hear(engine, 'Hello world.')
    // The full stop and the spaces beside it are silence that the model makes.
    const sentenceMs = pauseMs! + 3 * 50
    expect(sentenceMs).toBeGreaterThan(300)
    const two = await hear(engine, 'Hello world. One two.')
    const second = await hear(engine, 'One two.')
    expect(two.audioMs).toBeCloseTo(audioMs + pauseMs! + second.audioMs, 0)
    expect(two.pauseMs).toBe(second.pauseMs)
    expect(two.words[2]!.startMs).toBeCloseTo(audioMs + pauseMs! + second.words[0]!.startMs, -1)
    expect((await hear(engine, 'Hello world.', { speed: 2 })).pauseMs! + 3 * 25).toBeCloseTo(sentenceMs / 2, 0)
    const paragraph = await hear(engine, 'Hello world. \n\n One two.')
    expect(paragraph.audioMs).toBeGreaterThan(two.audioMs + 200)
    expect((await hear(engine, 'Hello world')).pauseMs).toBe(0)
    expect((await hear(engine, 'Hello world.', { volume: 0 })).pauseMs).toBe(pauseMs)
  })

  it('lasts as long sentence by sentence as at once', async () => {
    const sentences = ['Hello world.', ' One two three?', ' Red boat!\n\n', 'Four, tea.']
    const joinedMs = async (parts: readonly string[], speed: number) => {
      const received = await Promise.all(parts.map((part) => hear(engine, part, { speed })))
      const pauses = received.slice(0, -1).reduce((sum, { pauseMs }) => sum + pauseMs!, 0)
      return received.reduce((sum, { audioMs }) => sum + audioMs, pauses)
    }
    for (const speed of [0.5, 1, 2]) {
      const wholeMs = await joinedMs([sentences.join('')], speed)
      expect(Math.abs((await joinedMs(sentences, speed)) / wholeMs - 1)).toBeLessThan(0.03)
    }
  })

  it('reports when words are spoken, within their sound', async () => {
    const events = []
    const text = 'Mississippi, red boat.'
    for await (const event of speech(engine, saying(engine, text))) events.push(event)
    const marks = events.find(({ kind }) => kind === 'marks')
    expect(marks).toMatchObject({ phonemes: [] })
    if (marks?.kind !== 'marks') throw new Error('no marks came')
    expect(marks.words.map(({ textStart, textEnd }) => text.slice(textStart, textEnd))).toEqual([
      'Mississippi',
      'red',
      'boat',
    ])
    const [first, second, third] = marks.words
    // Eight phonemes, two pauses, three phonemes, a pause, three phonemes: 50 ms each.
    expect([first!.startMs, first!.endMs, second!.startMs, third!.endMs]).toEqual([0, 400, 500, 850])
    expect(Math.abs(second!.endMs - 650)).toBeLessThan(60)
    expect(third!.startMs).toBeGreaterThanOrEqual(second!.endMs)
  })

  it('delivers a long sentence clause by clause, each with its times on one clock', async () => {
    const text = `${'one two three four one two three four one two three four red boat, '.repeat(3)}red boat.`
    const { kinds, words, audioMs } = await hear(engine, text)
    expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual(
      Array.from({ length: 3 }, () => ['audio', 'marks']).flat(),
    )
    expect(words.map(({ textStart, textEnd }) => text.slice(textStart, textEnd)).join(' ')).toBe(
      text.replaceAll(/[,.]/g, ''),
    )
    for (const [index, { startMs, endMs }] of words.entries()) {
      expect(startMs).toBeGreaterThanOrEqual(words[index - 1]?.endMs ?? 0)
      expect(endMs).toBeGreaterThan(startMs)
    }
    expect(words.at(-1)!.endMs).toBeLessThanOrEqual(audioMs)
  })

  it('gives each speaker a voice of their own', async () => {
    const [low, high] = await Promise.all(
      [0, 1].map(async (speaker) => pitchOf(await audioOf(speech(engine, saying(engine, 'tea', { speaker }))), 16_000)),
    )
    expect(high! / low!).toBeCloseTo(1.5, 1)
  })

  it('speaks faster and slower, louder and softer as requested', async () => {
    expect((await hear(engine, 'Hello world.', { speed: 2 })).samples).toBe(11 * 400)
    expect((await hear(engine, 'Hello world.', { speed: 0.5 })).samples).toBe(11 * 1600)
    const peak = async (volume: number) =>
      Math.max(...(await audioOf(speech(engine, saying(engine, 'Hello world.', { volume })))))
    const ownPeak = await peak(1)
    expect((await peak(0.5)) / ownPeak).toBeCloseTo(0.5, 2)
    expect((await peak(2)) / ownPeak).toBeCloseTo(2, 2)
    expect(await peak(0)).toBe(0)
    expect((await hear(engine, 'Hello world.', { volume: 0 })).words).toHaveLength(2)
  })

  it('omits unknown words, and produces no audio for texts without known words', async () => {
    expect((await hear(engine, 'Hello xyzzy world')).words.map(({ text }) => text)).toEqual(['Hello', 'world'])
    for (const text of ['', ' ', 'xyzzy', '👍', '\u0000', '\ud800', '<speak/>', '12']) {
      expect(await hear(engine, text)).toMatchObject({ samples: 0, words: [] })
    }
    expect((await hear(engine, 'Hello\u0000 \ud800 world')).words).toHaveLength(2)
  })

  it('refuses what it does not offer, and speaks on', async () => {
    expect(await codeOf(hear(engine, 'Hello.', { voiceId: '0'.repeat(32) }))).toBe('upstream_error')
    expect(await codeOf(hear(engine, 'Hello.', { language: 'de' }))).toBe('upstream_error')
    expect((await hear(engine, 'Hello.', { language: 'EN' })).samples).toBeGreaterThan(0)
  })
})

describeWithPrograms(['espeak-ng'], 'models that read with eSpeak NG', () => {
  it.each<[ToneModelShape, number]>([
    ['piper', 2],
    ['kokoro', 2],
    ['matcha', 1],
  ])('speak: %s', async (shape, speakers) => {
    const { engine } = await openOne({ shape, speakers, espeakData: findEspeakData()! })
    const text = 'Good morning, everybody. It is 42 degrees.'
    const { words, audioMs, kinds } = await hear(engine, text)
    expect(kinds.filter((kind) => kind === 'marks')).toHaveLength(2)
    expect(kinds[0]).toBe('audio')
    expect(kinds.indexOf('marks')).toBeLessThan(kinds.lastIndexOf('audio'))
    expect(kinds.at(-1)).toBe('marks')
    expect(words.map(({ text }) => text)).toEqual(['Good', 'morning', 'everybody', 'It', 'is', '42', 'degrees'])
    expect(words.at(-1)!.endMs).toBeLessThanOrEqual(audioMs)
    const lengths = await Promise.all([0.5, 2].map(async (speed) => (await hear(engine, text, { speed })).samples))
    expect(lengths[0]! / lengths[1]!).toBeCloseTo(4, 1)
    const pitches = await Promise.all(
      engine.voices.map(async (_, speaker) =>
        pitchOf(await audioOf(speech(engine, saying(engine, text, { speaker }))), 16_000),
      ),
    )
    expect(pitches).toHaveLength(speakers)
    if (speakers === 2) expect(pitches[1]! / pitches[0]!).toBeCloseTo(1.5, 1)
    for (const odd of ['', '👍', '\u0000\ud800', '…', 'x'.repeat(300), '<b>', '日本語']) await hear(engine, odd)
    expect((await hear(engine, 'Still here.')).words).toHaveLength(2)
  })
})

describe('what people have spoken', () => {
  it('is in no log, also where the library complains of it', async () => {
    const { engine, lines } = await openOne()
    await hear(engine, 'Hello supersecretword and 471147114711.')
    expect(JSON.stringify(lines)).not.toMatch(/supersecretword|471147114711/)
  })
})

describe('a cancelled utterance', () => {
  const long = 'Hello world. '.repeat(60)

  it('is ended between two sentences, and its process speaks the next', async () => {
    // A sentence takes some 20 ms, the whole of it more than a second.
    const { engine, logged } = await openOne({ work: 1 })
    const stop = new AbortController()
    const iterator = await begin(speech(engine, saying(engine, long), stop.signal))
    stop.abort(new Error('enough'))
    await expect(finish(iterator)).rejects.toThrow('enough')
    expect((await hear(engine, 'Hello.')).samples).toBeGreaterThan(0)
    expect(logged('An engine process is killed')).toEqual([])
    expect(logged('An engine process is ready')).toHaveLength(1)
  })

  it('that cannot be ended within a sentence costs neither its process nor the time of the next one', async () => {
    // The work of a sentence takes a second and more, whatever is in it; a text without words has none.
    const { engine, logged, replaced } = await openOne({ work: 60 })
    const timed = async (work: Promise<unknown>) => {
      const startMs = performance.now()
      await work
      return performance.now() - startMs
    }
    const sentenceMs = await timed(hear(engine, 'Hello world.'))
    const cancelWithinSentence = async () => {
      const stop = new AbortController()
      const begun = new EventTarget()
      const onStart = () => begun.dispatchEvent(new Event('begin'))
      const received = audioOf(engine.speak(saying(engine, 'Hello world.'), { signal: stop.signal, onStart }))
      await once(begun, 'begin')
      stop.abort(new Error('enough'))
      await expect(received).rejects.toThrow('enough')
    }
    const nextMs: number[] = []
    for (let round = 0; round < 4; round++) {
      await cancelWithinSentence()
      nextMs.push(await timed(hear(engine, '…')))
    }
    // Other work on the machine may delay some of them.
    expect(Math.min(...nextMs)).toBeLessThan(sentenceMs / 2)
    expect((await hear(engine, 'Hello.')).samples).toBeGreaterThan(0)
    expect(logged('An engine process is killed')).toEqual([])
    expect(replaced).toEqual([])
  })
})

describe('an engine process of a model', () => {
  it('has a priority at which a busy service leaves it time, which its engine names with its threads', async () => {
    const { engine, logged } = await openOne({}, { threads: 3 })
    const { pid } = logged('An engine process is ready')[0] as Line
    expect(getPriority(pid)).toBeLessThanOrEqual(getPriority() + 5)
    expect(engine.info).toMatchObject({ threads: '3' })
  })
})

describe('a model that fails while it speaks', () => {
  it('fails that utterance at once, and its process speaks the next', async () => {
    const dir = await newModelsDir({ tones: {} })
    const tokens = join(dir, 'tones', 'tokens.txt')
    // A number beyond the model's tones for the B of `boat`.
    await writeFile(tokens, (await readFile(tokens, 'utf8')).replace(/^B \d+$/m, 'B 500'))
    const { engines, logged } = await open(dir)
    const engine = await healthy(engines[0]!)
    expect(await codeOf(hear(engine, 'Red boat.'))).toBe('upstream_error')
    expect((await hear(engine, 'Hello.')).samples).toBeGreaterThan(0)
    expect(logged('An engine process is ready')).toHaveLength(1)
  })
})

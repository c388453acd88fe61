/**
 * What every engine guarantees. An engine is added by a call of `describeEngine`, in
 * `engines.test.ts`.
 */
import { engineNameSchema, offeredVoiceSchema, ServiceError } from '@parlance/contracts'
import { maxBatchLength } from '@parlance/speech'
import fc from 'fast-check'
import type { Engine, SpeakOptions } from '../src/engine/engine.js'
import { begin, finish, isRunning, listen, longText, type ReceivedSpeech, utterance } from './engine-scene.js'

export interface EngineUnderTest {
  readonly engine: Engine
  /** Of an engine of processes: those that have been ready so far, the latest last. */
  pids?(): readonly number[]
  /** Resolves when that many processes have been ready in all. */
  ready?(count: number): Promise<void>
}

export interface EngineContract {
  /** Opens the engine so that it speaks that many utterances at once. The suite closes it. */
  open(capacity: number): Promise<EngineUnderTest>
  /** The display name of a voice that speaks English. */
  readonly voice: string
  /** Whether it reports the times of words. Default true. */
  readonly hasWords?: boolean
  /** Whether it reports the times of phonemes. Default true. */
  readonly hasPhonemes?: boolean
  /** How far two speeches of one text may be apart in length. Default 20. */
  readonly alikeWithinMs?: number
  /** How much work it may still do for a cancelled utterance, in ms. Default 20. */
  readonly cancelledWithinMs?: number
  /** Whether an engine that is tested as well is run by the same code: then only the speech of this one is. Default false. */
  readonly sharesWork?: boolean
}

const oddTexts = [
  ['nothing', ''],
  ['only spaces', ' '.repeat(300)],
  ['only line ends and tabs', '\n\n\t\r\n'],
  ['only punctuation', '?!… — ...'],
  ['only emoji', '😀👨‍👩‍👧🏳️‍🌈'],
  ['as many characters as a request has', ''.padEnd(maxBatchLength, 'All work and no play makes a dull day. ')],
  ['hundreds of combining marks', `e${'\u0301'.repeat(300)} a`],
  ['a very long word', 'x'.repeat(300)],
  ['a very long number', '7'.repeat(300)],
  ['right-to-left text', 'שלום עולם مرحبا بالعالم'],
  ['signs of direction', 'a \u202eb\u202c \u2066c\u2069'],
  ['control characters', '\u0001Va\u0002b\u001b[31m\u0007 c\u0085'],
  ['many brackets', '([{"\''.repeat(200)],
  ['NUL', 'before\0after'],
  ['phoneme input', "[[h@'loU]] [[[["],
  ['markup', '<speak><voice name="de">a</voice><audio src="/etc/passwd"/><!-- b --></speak> &lt;c&gt; &#100;'],
  ['an unclosed tag', 'a <b'],
  ['lone surrogates', 'a\ud83d b\ude00'],
  ['paragraphs', 'one\n\n\n\ntwo\r\n\tthree'],
] as const

/** Expects times in order and within the audio, and words that are in the text, in order. */
export const expectSoundMarks = (text: string, { words, phonemes, audioMs }: ReceivedSpeech): void => {
  let clockMs = 0
  let offset = 0
  for (const word of words) {
    expect(text.slice(word.textStart, word.textEnd)).toBe(word.text)
    expect(word.textStart).toBeGreaterThanOrEqual(offset)
    expect(word.startMs).toBeGreaterThanOrEqual(clockMs)
    expect(word.endMs).toBeGreaterThanOrEqual(word.startMs)
    clockMs = word.endMs
    offset = word.textEnd
  }
  expect(clockMs).toBeLessThanOrEqual(audioMs)
  clockMs = 0
  for (const { ipa, startMs, endMs } of phonemes) {
    expect(ipa).not.toBe('')
    expect(startMs).toBeGreaterThanOrEqual(clockMs)
    expect(endMs).toBeGreaterThanOrEqual(startMs)
    clockMs = endMs
  }
  expect(clockMs).toBeLessThanOrEqual(audioMs)
}

export const phonemesOf = ({ phonemes }: Pick<ReceivedSpeech, 'phonemes'>): string =>
  phonemes.map(({ ipa }) => ipa).join(' ')

const thrownBy = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
const codeOf = async (failing: Promise<unknown>): Promise<string> => {
  const error = await thrownBy(failing)
  if (!(error instanceof ServiceError)) throw error ?? new Error('it did not fail')
  return error.code
}

export const describeEngine = (name: string, contract: EngineContract): void =>
  void describe(`${name}, as every engine,`, () => {
    const {
      hasWords = true,
      hasPhonemes = true,
      alikeWithinMs = 20,
      cancelledWithinMs = 20,
      sharesWork = false,
    } = contract
    let one: EngineUnderTest
    let engine: Engine
    const others: EngineUnderTest[] = []
    beforeAll(async () => {
      one = await contract.open(1)
      engine = one.engine
    })
    afterAll(() => Promise.all([one, ...others].map((each) => each.engine.close())))

    const open = async (capacity: number): Promise<EngineUnderTest> => {
      const opened = await contract.open(capacity)
      others.push(opened)
      return opened
    }
    const speak = (text: string, options: Partial<SpeakOptions> = {}, by = engine) =>
      by.speak(utterance(by, text, contract.voice), { signal: new AbortController().signal, ...options })
    const hear = (text: string, by = engine) => listen(by, speak(text, {}, by))
    /** Expects that the process of the engine, where it has one, works on after this. */
    const keepingProcess = async (work: () => Promise<void>) => {
      const before = [...(one.pids?.() ?? [])]
      await work()
      expect((await hear('Next.')).samples).toBeGreaterThan(0)
      expect(one.pids?.() ?? []).toEqual(before)
    }

    it('describes itself, and offers voices that the catalog takes as they are', () => {
      engineNameSchema.parse(engine.name)
      for (const voice of engine.voices) offeredVoiceSchema.parse(voice)
      expect(engine.voices.map(({ display_name }) => display_name)).toContain(contract.voice)
      expect(new Set(engine.voices.map(({ id }) => id)).size).toBe(engine.voices.length)
      expect(engine.sampleRateHz).toBeGreaterThanOrEqual(8000)
      expect(engine.sampleRateHz).toBeLessThanOrEqual(48_000)
      expect([engine.capacity, engine.active(), engine.healthy()]).toEqual([1, 0, true])
    })

    it('speaks, and reports the time of each word and phoneme', async () => {
      const text = 'Of the people: don’t pay $5.99 & <b>bold</b> "quotes" — 😀 the end.'
      const received = await hear(text)
      expectSoundMarks(text, received)
      expect(received.audioMs).toBeGreaterThan(500)
      expect(received.words.length > 0).toBe(hasWords)
      expect(received.phonemes.length > 0).toBe(hasPhonemes)
    })

    it('begins before the rest of it is made', async () => {
      const speaking = await begin(speak(longText))
      expect(engine.active()).toBe(1)
      await speaking.return?.()
    })

    it('speaks the same text twice with the same audio, whatever was spoken between', async () => {
      const text = longText.slice(0, 200)
      const first = await hear(text)
      await hear('Something else altogether?')
      const second = await hear(text)
      expect(phonemesOf(second)).toBe(phonemesOf(first))
      expect(Math.abs(second.audioMs - first.audioMs)).toBeLessThanOrEqual(alikeWithinMs)
    })

    it('stops soon after the loop is left', async () => {
      const measured = (text: string, read: (events: ReturnType<typeof speak>) => Promise<unknown>) =>
        new Promise<{ audioMs: number; engineMs: number; readMs: number }>((resolve, reject) => {
          let startedMs = 0
          let readMs = 0
          const onStart = () => {
            startedMs = performance.now()
          }
          const onEnd = (spoken: { audioMs: number; engineMs: number }) =>
            setImmediate(() => resolve({ ...spoken, readMs }))
          read(speak(text, { onStart, onEnd })).then(() => {
            readMs = performance.now() - startedMs
          }, reject)
        })
      const wholes = []
      while (wholes.length < 3) wholes.push(await measured(longText, (events) => listen(engine, events)))
      // What a busy machine adds is not the engine's work: the quickest is nearest to that.
      const whole = wholes.reduce((best, each) => (each.engineMs < best.engineMs ? each : best))
      const afterLeavingMs = []
      while (afterLeavingMs.length < 10) {
        const left = await measured(longText, async (events) => {
          for await (const _ of events) break
        })
        // As time and as work, the time in which so much audio is made: a busy machine makes either too long.
        const workMs = (left.audioMs * whole.engineMs) / whole.audioMs
        afterLeavingMs.push(Math.min(left.engineMs, workMs) - left.readMs)
      }
      expect(Math.min(...afterLeavingMs)).toBeLessThan(cancelledWithinMs)
      expect(engine.active()).toBe(0)
    })

    it.each(oddTexts)('survives %s', async (_, text) => {
      expectSoundMarks(text, await hear(text))
      expect((await hear('Still here.')).samples).toBeGreaterThan(0)
    })

    it('meets its contract for any text, in any of its voices', async () => {
      const piece = fc.oneof(
        fc.constantFrom('of the', '2024', '<b>', '&amp;', '&', '[[', '😀', '日本', 'مرحبا', '\0', '…', '. ', ', ', ' '),
        fc.string({ unit: 'grapheme', maxLength: 8 }),
        fc.lorem({ maxCount: 2 }),
      )
      const voices = engine.voices.map(({ display_name }) => display_name)
      await fc.assert(
        fc.asyncProperty(
          fc.array(piece, { minLength: 1, maxLength: 8 }),
          fc.constantFrom(...voices),
          async (pieces, voice) => {
            const text = pieces.join('')
            const { signal } = new AbortController()
            expectSoundMarks(text, await listen(engine, engine.speak(utterance(engine, text, voice), { signal })))
          },
        ),
        { numRuns: 30 },
      )
    })

    if (sharesWork) return

    it('speaks twenty concurrent utterances completely, each with its own text', async () => {
      const { engine: two } = await open(2)
      const texts = Array.from({ length: 20 }, (_, index) => `This is number ${index}.`)
      const received = await Promise.all(texts.map((text) => hear(text, two)))
      for (const [index, { words, samples }] of received.entries()) {
        expect(samples).toBeGreaterThan(0)
        if (hasWords) expect(words.map(({ text }) => text)).toEqual(['This', 'is', 'number', String(index)])
      }
      expect(two.active()).toBe(0)
    })

    it('speaks waiting utterances in the order in which they came', async () => {
      const started: number[] = []
      await Promise.all(
        [0, 1, 2, 3, 4].map((turn) => listen(engine, speak('Hi.', { onStart: () => started.push(turn) }))),
      )
      expect(started).toEqual([0, 1, 2, 3, 4])
    })

    it('is not blocked by a reader that does not read', async () => {
      const idle = await begin(speak(longText))
      expect((await hear('Next.')).samples).toBeGreaterThan(0)
      await finish(idle)
    })

    it('reports when it is free again, although its audio was not read, and how much there was', async () => {
      const whole = await hear(longText)
      const spoken = await new Promise<{ audioMs: number; engineMs: number }>((resolve) => {
        void begin(speak(longText, { onEnd: resolve }))
      })
      expect(Math.abs(spoken.audioMs - whole.audioMs)).toBeLessThanOrEqual(alikeWithinMs)
      expect(spoken.engineMs).toBeGreaterThan(0)
    })

    it('stops when the loop is left by an exception', async () => {
      const failing = async () => {
        for await (const { kind } of speak(longText)) throw new Error(kind)
      }
      await keepingProcess(() => expect(failing()).rejects.toThrow('audio'))
      expect(engine.active()).toBe(0)
    })

    it('throws the reason of an abort, and speaks the next', async () => {
      await keepingProcess(async () => {
        const controller = new AbortController()
        const reason = new Error('hung up')
        const speaking = await begin(speak(longText, { signal: controller.signal }))
        controller.abort(reason)
        expect(await thrownBy(finish(speaking))).toBe(reason)
      })
    })

    it('drops what is aborted while it waits, and never begins what was aborted before', async () => {
      const speaking = await begin(speak(longText))
      const controller = new AbortController()
      const reason = new Error('hung up')
      const started: string[] = []
      const onStart = () => started.push('begun')
      const waiting = thrownBy(listen(engine, speak('I wait.', { signal: controller.signal, onStart })))
      controller.abort(reason)
      expect(await waiting).toBe(reason)
      expect(await thrownBy(listen(engine, speak('Late.', { signal: controller.signal, onStart })))).toBe(reason)
      expect(engine.active()).toBe(1)
      await speaking.return?.()
      await hear('Next.')
      expect(started).toEqual([])
    })

    it('answers a voice that it does not have with an error, and speaks on', async () => {
      const unknown = { ...utterance(engine, 'Hi.', contract.voice), voiceId: '0'.repeat(32) }
      const refused = () => listen(engine, engine.speak(unknown, { signal: new AbortController().signal }))
      await keepingProcess(async () => void (await codeOf(refused())))
    })

    it('that is killed while it speaks fails that utterance and no other', async () => {
      const { pids, ready } = one
      if (pids === undefined || ready === undefined) return
      const before = pids().length
      const speaking = await begin(speak(longText))
      const waiting = hear('I wait.')
      process.kill(pids().at(-1)!, 'SIGKILL')
      expect(await codeOf(finish(speaking))).toBe('upstream_error')
      expect((await waiting).samples).toBeGreaterThan(0)
      await ready(before + 1)
      expect(engine.healthy()).toBe(true)
    })

    it('leaves nothing running when it is closed, and fails what was being spoken', async () => {
      const { engine: closing, pids, ready } = await open(2)
      // Some engines start their second process when a text waits.
      await Promise.all([hear('Hi.', closing), hear('Hi.', closing)])
      await ready?.(2)
      const speaking = await begin(speak(longText, {}, closing))
      await closing.close()
      expect(await codeOf(finish(speaking))).toBe('draining')
      expect(await codeOf(hear('Hi.', closing))).toBe('draining')
      expect((pids?.() ?? []).filter(isRunning)).toEqual([])
    })
  })

import type { Recognizer } from '../../src/recognition/recognizer.js'
import { framesOf } from '../spoken.js'

/** However busy the machine is. */
export const patienceMs = 120_000

export interface OpenedRecognizer {
  readonly recognizer: Recognizer
  /** Speech that it understands, and what it then says was said. */
  readonly speech: Int16Array
  readonly text: RegExp
}

export const silence = (ms: number) => new Int16Array(ms * 16)

/** Sends it in frames, all at once. */
export const recognize = (recognizer: Recognizer, samples: Int16Array, language = 'en', speaker?: object) => {
  const recognition = recognizer.open({ language, speaker, onPartial: () => {} })
  for (const frame of framesOf(samples)) recognition.push(frame)
  return recognition.finish()
}

/** What every recogniser does. */
export const describeRecognizer = (name: string, open: () => Promise<OpenedRecognizer>): void => {
  describe(`${name}, as every recognizer,`, () => {
    let opened: OpenedRecognizer
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.recognizer.close())

    it(
      'understands speech, and counts what it listened to',
      async () => {
        const { recognizer, speech, text } = opened
        const said = await recognize(recognizer, speech)
        expect(said.text).toMatch(text)
        expect(said.audioMs).toBe(framesOf(speech).length * 20)
      },
      patienceMs,
    )

    it(
      'takes audio in parts of any length, and does not mind what becomes of them',
      async () => {
        const { recognizer, speech, text } = opened
        const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
        for (let at = 0, length = 1; at < speech.length; at += length, length = (length * 7 + 3) % 20_011) {
          const part = speech.slice(at, at + length)
          recognition.push(part)
          part.fill(0)
        }
        const said = await recognition.finish()
        expect(said.text).toMatch(text)
        expect(said.audioMs).toBe(speech.length / 16)
      },
      patienceMs,
    )

    it(
      'understands nothing where nothing was said',
      async () => {
        const { recognizer } = opened
        expect(await recognize(recognizer, silence(0))).toEqual({ text: '', audioMs: 0 })
        expect(await recognizer.open({ language: 'en', onPartial: () => {} }).finish()).toEqual({
          text: '',
          audioMs: 0,
        })
        expect((await recognize(recognizer, silence(1000))).text).toBe('')
      },
      patienceMs,
    )

    it(
      'answers ten at once, each with its own',
      async () => {
        const { recognizer, speech, text } = opened
        const all = await Promise.all(
          Array.from({ length: 10 }, (_, index) => recognize(recognizer, index % 3 === 0 ? speech : silence(300))),
        )
        for (const [index, said] of all.entries()) {
          if (index % 3 === 0) expect(said.text).toMatch(text)
          else expect(said.text).toBe('')
        }
      },
      patienceMs,
    )

    it(
      'says nothing any more of what was cancelled, and hears the next',
      async () => {
        const { recognizer, speech, text } = opened
        const partials: string[] = []
        const cancelled = recognizer.open({ language: 'en', onPartial: (partial) => partials.push(partial) })
        cancelled.push(speech)
        cancelled.cancel()
        const finishing = recognizer.open({ language: 'en', onPartial: (partial) => partials.push(partial) })
        finishing.push(speech)
        const result = finishing.finish()
        finishing.cancel()
        finishing.cancel()
        await expect(result).rejects.toThrow()
        expect((await recognize(recognizer, speech)).text).toMatch(text)
        expect(partials).toEqual([])
      },
      patienceMs,
    )

    it(
      'takes any language, whether it understands it or not',
      async () => {
        const { recognizer, speech } = opened
        const word = speech.subarray(0, 8000)
        for (const language of ['en-GB', 'de', 'tlh-Latn-001', 'EN', '', 'x']) {
          expect(typeof (await recognize(recognizer, word, language)).text).toBe('string')
        }
      },
      patienceMs,
    )
  })
}

import type { Recognizer } from '../../src/stt/recognizer.js'
import { framesOf } from '../spoken.js'
import { talkWithoutWords, unrecognized } from './talk-without-words.js'

/** Long enough for a busy machine. */
export const patienceMs = 120_000

export interface OpenedRecognizer {
  readonly recognizer: Recognizer
  /** Speech that it recognizes, and its text. */
  readonly speech: Int16Array
  readonly text: RegExp
  /** Whether it reports partial texts during an utterance. */
  readonly streaming: boolean
  /** How many utterances it takes at once. Default 50. */
  readonly atOnce?: number
}

export const silence = (ms: number) => new Int16Array(ms * 16)

/** Recognizes samples, which are sent in frames without pauses. */
export const recognize = (recognizer: Recognizer, samples: Int16Array, language = 'en', speaker?: object) => {
  const recognition = recognizer.open({ language, speaker, onPartial: () => {} })
  for (const frame of framesOf(samples)) recognition.push(frame)
  return recognition.finish()
}

/** Guarantees of every recognizer. `open` is called a second time for a recognizer that is closed during utterances. */
export const describeRecognizer = (name: string, open: () => Promise<OpenedRecognizer>): void => {
  describe(`${name}, as every recognizer,`, () => {
    let opened: OpenedRecognizer
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.recognizer.close())

    const guarantee = (what: string, test: (opened: OpenedRecognizer) => Promise<void>) => it(what, () => test(opened))

    guarantee('recognizes speech, and counts the length of its audio', async ({ recognizer, speech, text }) => {
      const result = await recognize(recognizer, speech)
      expect(result.text).toMatch(text)
      expect(result.audioMs).toBe(framesOf(speech).length * 20)
    })

    guarantee(
      'takes audio in parts of any length, which may be changed afterwards',
      async ({ recognizer, speech, text }) => {
        const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
        recognition.push(new Int16Array(0))
        for (let at = 0, length = 1; at < speech.length; at += length, length = (length * 7 + 3) % 20_011) {
          const part = speech.slice(at, at + length)
          recognition.push(part)
          part.fill(0)
        }
        const result = await recognition.finish()
        expect(result.text).toMatch(text)
        expect(result.audioMs).toBe(speech.length / 16)
      },
    )

    guarantee('returns an empty text for silence', async ({ recognizer }) => {
      expect(await recognize(recognizer, silence(0))).toEqual({ text: '', audioMs: 0 })
      expect(await recognizer.open({ language: 'en', onPartial: () => {} }).finish()).toEqual({ text: '', audioMs: 0 })
      expect((await recognize(recognizer, silence(20))).text).toBe('')
      expect((await recognize(recognizer, silence(1000))).text).toBe('')
    })

    guarantee('lets the client know when a user said no words', async ({ recognizer }) => {
      expect(await talkWithoutWords(recognizer)).toEqual(unrecognized)
    })

    guarantee('survives any sound', async ({ recognizer, speech, text }) => {
      const odd = {
        'as loud as can be': new Int16Array(1600)
          .fill(32_767)
          .map((sample, index) => (index % 7 < 3 ? -32_768 : sample)),
        'a constant': new Int16Array(1600).fill(-32_768),
        clicks: Int16Array.from({ length: 1600 }, (_, index) => (index % 400 === 0 ? 32_767 : 0)),
        'one sample': new Int16Array(1).fill(32_767),
      }
      for (const samples of Object.values(odd)) {
        const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
        recognition.push(samples)
        const result = await recognition.finish()
        expect(result).toMatchObject({ text: expect.any(String), audioMs: samples.length / 16 })
      }
      expect((await recognize(recognizer, speech)).text).toMatch(text)
    })

    guarantee('reports partial texts in order, of which the last is the text', async (opened) => {
      const { recognizer, speech, text, streaming } = opened
      const partials: string[] = []
      const isOver = { finished: false }
      const recognition = recognizer.open({
        language: 'en',
        onPartial: (partial) => {
          expect(isOver.finished).toBe(false)
          partials.push(partial)
        },
      })
      for (const frame of framesOf(speech)) recognition.push(frame)
      const result = await recognition.finish()
      isOver.finished = true
      expect(result.text).toMatch(text)
      if (streaming || partials.length > 0) expect(partials.at(-1)).toBe(result.text)
      if (streaming) expect(partials.length).toBeGreaterThan(2)
      for (const [index, partial] of partials.entries()) expect(partial).not.toBe(partials[index - 1])
    })

    guarantee('previews an utterance, which then goes on', async ({ recognizer, speech, text }) => {
      const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
      for (const frame of framesOf(speech)) recognition.push(frame)
      expect((await recognition.preview?.()) ?? '').toEqual(expect.any(String))
      recognition.push(silence(300))
      const result = await recognition.finish({ silentSincePreview: true })
      expect(result.text).toMatch(text)
      const cancelled = recognizer.open({ language: 'en', onPartial: () => {} })
      cancelled.push(speech)
      const preview = cancelled.preview?.()
      cancelled.cancel()
      await preview
    })

    guarantee(
      'recognizes many utterances at once, each with its own text',
      async ({ recognizer, speech, text, atOnce = 50 }) => {
        const isSpeech = (index: number) => index % 5 === 0
        const all = await Promise.all(
          Array.from({ length: atOnce }, (_, index) => recognize(recognizer, isSpeech(index) ? speech : silence(300))),
        )
        for (const [index, result] of all.entries()) {
          if (isSpeech(index)) expect(result.text).toMatch(text)
          else expect(result.text).toBe('')
        }
      },
    )

    guarantee(
      'reports nothing of a cancelled utterance, and recognizes the next',
      async ({ recognizer, speech, text }) => {
        const partials: string[] = []
        const cancelled = recognizer.open({ language: 'en', onPartial: (partial) => partials.push(partial) })
        cancelled.push(speech)
        cancelled.cancel()
        cancelled.push(speech)
        const finishing = recognizer.open({ language: 'en', onPartial: (partial) => partials.push(partial) })
        finishing.push(speech)
        const result = finishing.finish()
        finishing.cancel()
        finishing.cancel()
        await expect(result).rejects.toThrow()
        expect((await recognize(recognizer, speech)).text).toMatch(text)
        expect(partials).toEqual([])
      },
    )

    guarantee('takes new utterances after others were cancelled', async ({ recognizer, speech, text, atOnce = 50 }) => {
      for (let round = 0; round < 3; round++) {
        const cancelled = Array.from({ length: atOnce }, () => recognizer.open({ language: 'en', onPartial: () => {} }))
        for (const recognition of cancelled) recognition.push(speech)
        for (const recognition of cancelled) recognition.cancel()
      }
      expect((await recognize(recognizer, speech)).text).toMatch(text)
    })

    guarantee('takes any language tag', async ({ recognizer, speech }) => {
      const word = speech.subarray(0, 8000)
      for (const language of ['en-GB', 'de', 'tlh-Latn-001', 'EN', '', 'x']) {
        expect(typeof (await recognize(recognizer, word, language)).text).toBe('string')
      }
    })

    guarantee('fails utterances in progress when it is closed, and later ones', async ({ speech }) => {
      const { recognizer } = await open()
      const underWay = recognizer.open({ language: 'en', onPartial: () => {} })
      underWay.push(speech)
      const finishing = recognizer.open({ language: 'en', onPartial: () => {} })
      finishing.push(speech)
      const outcome = expect(finishing.finish()).rejects.toMatchObject({ code: 'draining' })
      await Promise.all([recognizer.close(), outcome])
      await expect(underWay.finish()).rejects.toMatchObject({ code: 'draining' })
      await expect(recognize(recognizer, speech)).rejects.toMatchObject({ code: 'draining' })
    })
  })
}

import type { Recognizer } from '../../src/stt/recognizer.js'
import { framesOf } from '../spoken.js'

/** However busy the machine is. */
export const patienceMs = 120_000

export interface OpenedRecognizer {
  readonly recognizer: Recognizer
  /** Speech that it understands, and what it then says was said. */
  readonly speech: Int16Array
  readonly text: RegExp
  /** Whether it tells what it understands while somebody speaks. */
  readonly streaming: boolean
  /** How many may speak at once; 50 where it is not said. */
  readonly atOnce?: number
}

export const silence = (ms: number) => new Int16Array(ms * 16)

/** Sends it in frames, all at once. */
export const recognize = (recognizer: Recognizer, samples: Int16Array, language = 'en', speaker?: object) => {
  const recognition = recognizer.open({ language, speaker, onPartial: () => {} })
  for (const frame of framesOf(samples)) recognition.push(frame)
  return recognition.finish()
}

/** What every recogniser does. `open` is called a second time for one that is closed while it hears. */
export const describeRecognizer = (name: string, open: () => Promise<OpenedRecognizer>): void => {
  describe(`${name}, as every recognizer,`, () => {
    let opened: OpenedRecognizer
    beforeAll(async () => {
      opened = await open()
    }, patienceMs)
    afterAll(() => opened?.recognizer.close())

    const guarantee = (what: string, test: (opened: OpenedRecognizer) => Promise<void>) =>
      it(what, () => test(opened), patienceMs)

    guarantee('understands speech, and counts what it listened to', async ({ recognizer, speech, text }) => {
      const said = await recognize(recognizer, speech)
      expect(said.text).toMatch(text)
      expect(said.audioMs).toBe(framesOf(speech).length * 20)
    })

    guarantee(
      'takes audio in parts of any length, and does not mind what becomes of them',
      async ({ recognizer, speech, text }) => {
        const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
        recognition.push(new Int16Array(0))
        for (let at = 0, length = 1; at < speech.length; at += length, length = (length * 7 + 3) % 20_011) {
          const part = speech.slice(at, at + length)
          recognition.push(part)
          part.fill(0)
        }
        const said = await recognition.finish()
        expect(said.text).toMatch(text)
        expect(said.audioMs).toBe(speech.length / 16)
      },
    )

    guarantee('understands nothing where nothing was said', async ({ recognizer }) => {
      expect(await recognize(recognizer, silence(0))).toEqual({ text: '', audioMs: 0 })
      expect(await recognizer.open({ language: 'en', onPartial: () => {} }).finish()).toEqual({ text: '', audioMs: 0 })
      expect((await recognize(recognizer, silence(20))).text).toBe('')
      expect((await recognize(recognizer, silence(1000))).text).toBe('')
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
        const said = await recognition.finish()
        expect(said).toEqual({ text: expect.any(String), audioMs: samples.length / 16 })
      }
      expect((await recognize(recognizer, speech)).text).toMatch(text)
    })

    guarantee('tells what it understands in order, the last being the text', async (opened) => {
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
      const said = await recognition.finish()
      isOver.finished = true
      expect(said.text).toMatch(text)
      if (streaming || partials.length > 0) expect(partials.at(-1)).toBe(said.text)
      if (streaming) expect(partials.length).toBeGreaterThan(2)
      for (const [index, partial] of partials.entries()) expect(partial).not.toBe(partials[index - 1])
    })

    guarantee('answers many at once, each with its own', async ({ recognizer, speech, text, atOnce = 50 }) => {
      const isSpeech = (index: number) => index % 5 === 0
      const all = await Promise.all(
        Array.from({ length: atOnce }, (_, index) => recognize(recognizer, isSpeech(index) ? speech : silence(300))),
      )
      for (const [index, said] of all.entries()) {
        if (isSpeech(index)) expect(said.text).toMatch(text)
        else expect(said.text).toBe('')
      }
    })

    guarantee(
      'says nothing any more of what was cancelled, and hears the next',
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

    guarantee('has room again for those who are cancelled', async ({ recognizer, speech, text, atOnce = 50 }) => {
      for (let round = 0; round < 3; round++) {
        const cancelled = Array.from({ length: atOnce }, () => recognizer.open({ language: 'en', onPartial: () => {} }))
        for (const recognition of cancelled) recognition.push(speech)
        for (const recognition of cancelled) recognition.cancel()
      }
      expect((await recognize(recognizer, speech)).text).toMatch(text)
    })

    guarantee('takes any language, whether it understands it or not', async ({ recognizer, speech }) => {
      const word = speech.subarray(0, 8000)
      for (const language of ['en-GB', 'de', 'tlh-Latn-001', 'EN', '', 'x']) {
        expect(typeof (await recognize(recognizer, word, language)).text).toBe('string')
      }
    })

    guarantee('fails what it hears when it is closed, and what comes after that', async ({ speech }) => {
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

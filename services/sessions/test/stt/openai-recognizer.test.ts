import { createLogger } from '@parlance/telemetry'
import { freePort } from '@parlance/testing'
import {
  standInKey,
  startOpenaiTranscriptionStandIn,
  type TranscriptionFault,
  type TranscriptionStandIn,
} from '@parlance/testing/stand-ins'
import { createOpenaiRecognizer, type OpenaiOptions } from '../../src/stt/openai-recognizer.js'
import { describeRecognizer, recognize, silence } from './describe-recognizer.js'
import { talkWithoutWords, unrecognized } from './talk-without-words.js'

const words = 'Please tell me the time.'
const sound = Int16Array.from({ length: 16_000 }, (_, index) => 5000 * Math.sin(index / 5))

let standIn: TranscriptionStandIn
let log: string[]
beforeAll(async () => {
  standIn = await startOpenaiTranscriptionStandIn(words)
})
beforeEach(() => {
  standIn.misbehave(undefined)
  standIn.writeOfSilence('')
  standIn.asked.length = 0
  log = []
})
afterAll(() => standIn.close())

const create = (options: Partial<OpenaiOptions> = {}) =>
  createOpenaiRecognizer({
    logger: createLogger({ name: 'test', destination: { write: (line) => log.push(line) } }),
    baseUrl: standIn.url,
    model: 'whisper-1',
    apiKey: standInKey,
    ...options,
  })

describeRecognizer('a server with the interface of OpenAI', async () => ({
  recognizer: create(),
  speech: sound,
  text: /^Please tell me the time\.$/,
  streaming: false,
}))

it('sends the audio as a form that strict servers accept', async () => {
  const recognizer = create({ baseUrl: `${standIn.url}/`, model: 'gpt-4o-mini-transcribe' })
  for (const language of ['en-US', 'DE', '', 'x-klingon', 'yue-HK']) await recognize(recognizer, sound, language)
  await recognizer.close()
  expect(standIn.asked.map(({ language }) => language)).toEqual(['en', 'de', undefined, undefined, 'yue'])
  for (const { model, samples } of standIn.asked) {
    expect(model).toBe('gpt-4o-mini-transcribe')
    expect(samples).toEqual(sound)
  }
})

it.each([' [BLANK_AUDIO]', ' .', '(music playing)'])('takes %j for no words, and so does the client', async (text) => {
  standIn.writeOfSilence(text)
  const recognizer = create()
  expect((await recognize(recognizer, silence(300))).text).toBe('')
  expect(await talkWithoutWords(recognizer)).toEqual(unrecognized)
  await recognizer.close()
})

it('sends no more of an utterance than it may', async () => {
  const recognizer = create({ maxUtteranceMs: 500 })
  expect(await recognize(recognizer, silence(900))).toEqual({ text: '', audioMs: 500 })
  await recognizer.close()
  expect(standIn.asked[0]!.samples).toHaveLength(8000)
})

describe('a server that', () => {
  const outcomes: Record<TranscriptionFault, string> = {
    'answers with a web page': 'upstream_error',
    'does not answer': 'upstream_timeout',
    'stalls in the middle': 'upstream_timeout',
    redirects: 'upstream_error',
    floods: 'upstream_error',
    'hangs up': 'upstream_error',
    'hangs up in the middle': 'upstream_error',
    'sends half an answer': 'upstream_error',
    'answers in another shape': 'upstream_error',
    fails: 'upstream_error',
    'takes no key': 'upstream_error',
    'has no room': 'capacity_exhausted',
    'has used up its quota': 'upstream_error',
    'does not know the model': 'upstream_error',
  }

  it.each(Object.entries(outcomes) as [TranscriptionFault, string][])(
    '%s is %s, and no secret is in the error or the log',
    async (how, code) => {
      const recognizer = create({ finishTimeoutMs: code === 'upstream_timeout' ? 150 : 10_000 })
      standIn.misbehave(how)
      const error = await recognize(recognizer, sound).then(
        () => undefined,
        (error: Error) => error,
      )
      expect(error).toMatchObject({ name: 'ServiceError', code })
      expect(standIn.followed()).toBe(0)
      expect(log).toHaveLength(1)
      for (const line of [error!.message, ...log]) expect(line).not.toMatch(/secret|private|la la/)
      await recognizer.close()
    },
  )

  it.each<TranscriptionFault>(['hangs up', 'fails'])('%s once is asked once more', async (how) => {
    const recognizer = create()
    standIn.misbehave(how, 1)
    expect((await recognize(recognizer, sound)).text).toBe(words)
    expect(standIn.asked).toHaveLength(2)
    await recognizer.close()
  })

  it('is not there is an upstream_error', async () => {
    const recognizer = create({ baseUrl: `http://127.0.0.1:${await freePort()}/v1` })
    await expect(recognize(recognizer, sound)).rejects.toMatchObject({ code: 'upstream_error' })
    await recognizer.close()
  })
})

it('closes the connection when the utterance is cancelled, and reports nothing', async () => {
  const recognizer = create()
  standIn.misbehave('does not answer')
  const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
  recognition.push(sound)
  const givenUp = standIn.givenUp()
  const result = recognition.finish()
  const outcome = expect(result).rejects.toMatchObject({ name: 'AbortError' })
  while (standIn.asked.length === 0) await new Promise(setImmediate)
  recognition.cancel()
  await outcome
  await givenUp
  expect(log).toEqual([])
  await recognizer.close()
})

it('fails what is under way when it is closed', async () => {
  const recognizer = create()
  standIn.misbehave('does not answer')
  const outcome = expect(recognize(recognizer, sound)).rejects.toMatchObject({ code: 'draining' })
  while (standIn.asked.length === 0) await new Promise(setImmediate)
  await recognizer.close()
  await outcome
})

it('sends an utterance that was previewed again only when voice followed', async () => {
  const recognizer = create()
  const begin = () => {
    const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
    recognition.push(sound)
    return recognition
  }
  const silent = begin()
  expect(await silent.preview!()).toBe(words)
  silent.push(silence(100))
  expect(await silent.finish({ silentSincePreview: true })).toEqual({ text: words, audioMs: 1100 })
  expect(standIn.asked).toHaveLength(1)

  const waiting = begin()
  const preview = waiting.preview!()
  expect((await waiting.finish({ silentSincePreview: true })).text).toBe(words)
  expect(await preview).toBe(words)
  expect(standIn.asked).toHaveLength(2)

  const voiced = begin()
  await voiced.preview!()
  voiced.push(sound)
  expect((await voiced.finish()).text).toBe(words)
  expect(standIn.asked.slice(2).map(({ samples }) => samples.length)).toEqual([16_000, 32_000])
  await recognizer.close()
})

it('sends the whole utterance when its preview failed', async () => {
  standIn.misbehave('takes no key', 1)
  const recognizer = create()
  const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
  recognition.push(sound)
  expect(await recognition.preview!()).toBeUndefined()
  expect((await recognition.finish({ silentSincePreview: true })).text).toBe(words)
  await recognizer.close()
})

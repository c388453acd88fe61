import { createLogger } from '@parlance/telemetry'
import { freePort } from '@parlance/testing'
import { type DeepgramFault, type DeepgramStandIn, standInKey, startDeepgramStandIn } from '@parlance/testing/stand-ins'
import { createDeepgramRecognizer, type DeepgramOptions } from '../../src/stt/deepgram-recognizer.js'
import type { Recognition } from '../../src/stt/recognizer.js'
import { framesOf } from '../spoken.js'
import { describeRecognizer, patienceMs, recognize, silence } from './describe-recognizer.js'

const words = ['Please', 'tell', 'me', 'the', 'time.']
const sound = Int16Array.from({ length: 8_000 }, (_, index) => 5000 * Math.sin(index / 5))

let standIn: DeepgramStandIn
let log: string[]
beforeAll(async () => {
  standIn = await startDeepgramStandIn(words)
})
beforeEach(() => {
  standIn.misbehave(undefined)
  standIn.utterances.length = 0
  log = []
})
afterAll(() => standIn.close())

const create = (options: Partial<DeepgramOptions> = {}) =>
  createDeepgramRecognizer({
    logger: createLogger({ name: 'test', destination: { write: (line) => log.push(line) } }),
    baseUrl: standIn.url,
    model: 'nova-3',
    apiKey: standInKey,
    connectTimeoutMs: patienceMs,
    finishTimeoutMs: patienceMs,
    ...options,
  })

/** An utterance, and its partial texts so far. */
const begin = (recognizer = create()) => {
  const partials: string[] = []
  let onPartial = () => {}
  const recognition = recognizer.open({
    language: 'en',
    onPartial: (text) => {
      partials.push(text)
      onPartial()
    },
  })
  const until = (wanted: string) =>
    new Promise<void>((resolve) => {
      onPartial = () => partials.at(-1) === wanted && resolve()
      onPartial()
    })
  return { recognizer, recognition, partials, until }
}

describeRecognizer('Deepgram', async () => ({
  recognizer: create(),
  speech: sound,
  text: /^Please tell me the time\.$/,
  streaming: true,
}))

it('reports the times of the words', async () => {
  const { words: timed } = await recognize(create(), sound)
  expect(timed?.map(({ text }) => text).join(' ')).toBe(words.join(' '))
  expect(timed?.[0]).toEqual({ text: 'Please', startMs: 0, endMs: 100 })
})

const createFlux = (options: Partial<DeepgramOptions> = {}) => create({ model: 'flux-general-en', ...options })

describeRecognizer('Flux', async () => ({
  recognizer: createFlux(),
  speech: Int16Array.from({ length: 16_000 }, (_, index) => 5000 * Math.sin(index / 5)),
  text: /^Please tell me the time\.$/,
  streaming: true,
}))

describe('Flux', () => {
  it('reports when the user has finished, after which the text is there at once', async () => {
    const recognizer = createFlux()
    expect([recognizer.endsTurns, recognizer.languages]).toEqual([true, ['en']])
    const partials: string[] = []
    let recognition!: Recognition
    const ended = new Promise<void>((onEndOfTurn) => {
      recognition = recognizer.open({ language: 'en', onPartial: (text) => partials.push(text), onEndOfTurn })
    })
    for (const frame of framesOf(sound)) recognition.push(frame)
    for (const frame of framesOf(silence(400))) recognition.push(frame)
    await ended
    expect(partials.at(-1)).toBe('Please tell me the time.')
    expect((await recognition.finish()).text).toBe('Please tell me the time.')
    await standIn.allClosed()
  })

  it('joins the turns of one utterance, and recognizes all audio that was sent before the end', async () => {
    const recognizer = createFlux()
    const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
    for (const part of [sound, silence(400), sound.subarray(0, 2_500)]) {
      for (const frame of framesOf(part)) recognition.push(frame)
    }
    expect((await recognition.finish()).text).toBe('Please tell me the time. Please tell')
    expect(standIn.utterances[0]!.messages).toEqual(['CloseStream'])
    await standIn.allClosed()
  })

  it('is asked for the language by the model of several, and never for the version before', async () => {
    const recognizer = createFlux({ model: 'flux-general-multi' })
    for (const language of ['de-AT', 'x']) await recognize(recognizer, sound, language)
    expect(standIn.utterances.map(({ parameters }) => parameters)).toEqual([
      { model: 'flux-general-multi', encoding: 'linear16', sample_rate: '16000', language_hint: 'de' },
      { model: 'flux-general-multi', encoding: 'linear16', sample_rate: '16000' },
    ])
    expect(standIn.followed()).toBe(0)
  })

  it.each<[DeepgramFault, string]>([
    ['reports an error', 'upstream_error'],
    ['answers in another shape', 'upstream_error'],
    ['closes in the middle', 'upstream_error'],
    ['is restarted', 'capacity_exhausted'],
  ])('fails where the server %s', async (how, code) => {
    standIn.misbehave(how)
    const recognition = createFlux().open({ language: 'en', onPartial: () => {} })
    recognition.push(sound)
    if (how === 'closes in the middle') await standIn.opened().then(standIn.allClosed)
    await expect(recognition.finish()).rejects.toMatchObject({ code })
    for (const line of log) expect(line).not.toMatch(/secret|private/)
  })
})

it('sends all audio, with the documented parameters', async () => {
  const recognizer = create({ baseUrl: `${standIn.url.replace('ws:', 'http:')}/`, model: 'nova-2-phonecall' })
  for (const language of ['en-US', 'DE', '', 'x-klingon', 'yue-HK']) await recognize(recognizer, sound, language)
  expect(standIn.utterances.map(({ parameters }) => parameters.language)).toEqual(['en', 'de', 'multi', 'multi', 'yue'])
  for (const { parameters, samples, messages } of standIn.utterances) {
    expect(parameters).toMatchObject({ model: 'nova-2-phonecall', encoding: 'linear16', sample_rate: '16000' })
    expect(Int16Array.from(samples)).toEqual(sound)
    expect(messages).toEqual(['Finalize', 'CloseStream'])
  }
  await standIn.allClosed()
})

it('sends no more of an utterance than it may', async () => {
  const recognizer = create({ maxUtteranceMs: 400 })
  expect(await recognize(recognizer, silence(900))).toEqual({ text: '', audioMs: 400 })
  expect(standIn.utterances[0]!.samples).toHaveLength(6400)
})

it('reports partial texts during the utterance, word by word', async () => {
  const { recognition, partials, until } = begin()
  for (const frame of framesOf(sound)) recognition.push(frame)
  await until('Please tell me the time.')
  expect(partials).toEqual(words.map((_, index) => words.slice(0, index + 1).join(' ')))
  expect((await recognition.finish()).text).toBe('Please tell me the time.')
})

it('joins the texts before and after a pause', async () => {
  const { recognition, partials } = begin()
  for (const frame of framesOf(sound.subarray(0, 7680))) recognition.push(frame)
  for (const frame of framesOf(silence(600))) recognition.push(frame)
  for (const frame of framesOf(sound.subarray(0, 1920))) recognition.push(frame)
  expect((await recognition.finish()).text).toBe('Please tell me the time. Please tell')
  expect(partials.at(-1)).toBe('Please tell me the time. Please tell')
})

it('joins the stretches of a language that is written without spaces without one', async () => {
  const recognizer = create()
  const recognition = recognizer.open({ language: 'ja-JP', onPartial: () => {} })
  for (const part of [sound.subarray(0, 1920), silence(600), sound.subarray(0, 1920)]) {
    for (const frame of framesOf(part)) recognition.push(frame)
  }
  expect((await recognition.finish()).text).toBe('Please tellPlease tell')
})

it('keeps a socket open during silence', async () => {
  const { recognition, until } = begin(create({ keepAliveMs: 5 }))
  recognition.push(sound)
  await until('Please tell me the time.')
  const { messages } = standIn.utterances[0]!
  while (messages.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  recognition.push(silence(60))
  expect((await recognition.finish()).text).toBe('Please tell me the time.')
  expect(messages.slice(0, 3)).toEqual(['KeepAlive', 'KeepAlive', 'KeepAlive'])
  expect(messages.slice(-2)).toEqual(['Finalize', 'CloseStream'])
})

describe('a server that', () => {
  const outcomes: Record<DeepgramFault, string> = {
    'answers with a web page': 'upstream_error',
    'does not open': 'upstream_timeout',
    redirects: 'upstream_error',
    'hangs up': 'upstream_error',
    fails: 'upstream_error',
    'takes no key': 'upstream_error',
    'has no credit left': 'upstream_error',
    'has no room': 'capacity_exhausted',
    'does not know the model': 'upstream_error',
    'does not answer': 'upstream_timeout',
    'hangs up in the middle': 'upstream_error',
    'closes in the middle': 'upstream_error',
    'cannot read the audio': 'upstream_error',
    'falls silent': 'upstream_timeout',
    'is restarted': 'capacity_exhausted',
    'floods with words': 'upstream_error',
    'sends a message without an end': 'upstream_error',
    'sends half a message': 'upstream_error',
    'sends a message of no type': 'upstream_error',
    'answers in another shape': 'upstream_error',
    'answers in bytes': 'upstream_error',
    'reports an error': 'upstream_error',
  }

  it.each(Object.entries(outcomes) as [DeepgramFault, string][])(
    '%s is %s, and no secret is in the error or the log',
    async (how, code) => {
      const limits = { 'does not open': { connectTimeoutMs: 150 }, 'does not answer': { finishTimeoutMs: 150 } }
      const recognizer = create(how in limits ? limits[how as keyof typeof limits] : {})
      standIn.misbehave(how)
      const { recognition } = begin(recognizer)
      recognition.push(sound)
      // It closes before it knows that the utterance is over.
      if (how === 'closes in the middle') await standIn.opened().then(standIn.allClosed)
      const error = await recognition.finish().then(
        () => undefined,
        (error: Error) => error,
      )
      expect(error).toMatchObject({ name: 'ServiceError', code })
      expect(standIn.followed()).toBe(0)
      expect(log).toHaveLength(1)
      for (const line of [error!.message, ...log]) expect(line).not.toMatch(/secret|private|la la/)
      standIn.misbehave(undefined)
      expect((await recognize(create(), sound)).text).toBe('Please tell me the time.')
      await standIn.allClosed()
    },
  )

  it.each<DeepgramFault>(['hangs up', 'fails'])('%s once is asked once more', async (how) => {
    standIn.misbehave(how, 1)
    expect((await recognize(create(), sound)).text).toBe('Please tell me the time.')
    expect(standIn.utterances).toHaveLength(2)
  })

  it('has no room is not asked again', async () => {
    standIn.misbehave('has no room')
    await expect(recognize(create(), sound)).rejects.toMatchObject({ code: 'capacity_exhausted' })
    expect(standIn.utterances).toHaveLength(1)
  })

  it('takes another key is asked with none of ours', async () => {
    await expect(recognize(create({ apiKey: 'another' }), sound)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(log.join()).toContain('401')
  })

  it('is not there is an upstream_error', async () => {
    const recognizer = create({ baseUrl: `ws://127.0.0.1:${await freePort()}/v1` })
    await expect(recognize(recognizer, sound)).rejects.toMatchObject({ code: 'upstream_error' })
  })
})

it.each<DeepgramFault | undefined>(['does not open', 'does not answer', undefined])(
  'closes the socket at once when the utterance is cancelled, and reports nothing (%s)',
  async (how) => {
    standIn.misbehave(how)
    const { recognition } = begin()
    recognition.push(sound)
    await standIn.opened()
    recognition.cancel()
    await standIn.allClosed()
    expect(log).toEqual([])
  },
)

it('finishes at once after a preview that was answered and only silence', async () => {
  const { recognition, until } = begin()
  recognition.push(sound)
  await until(words.join(' '))
  expect(await recognition.preview!()).toBe(words.join(' '))
  recognition.push(silence(100))
  expect((await recognition.finish({ silentSincePreview: true })).text).toBe(words.join(' '))
  expect(standIn.utterances[0]!.messages).toEqual(['Finalize'])
  await standIn.allClosed()
})

it('finishes with all words after a preview and more voice', async () => {
  const { recognition, until } = begin()
  recognition.push(sound)
  await until(words.join(' '))
  await recognition.preview!()
  recognition.push(sound)
  expect((await recognition.finish()).text).toBe([...words, ...words].join(' '))
  expect(standIn.utterances[0]!.messages).toEqual(['Finalize', 'Finalize', 'CloseStream'])
  await standIn.allClosed()
})

it('finishes as without a preview when that was not answered', async () => {
  const { recognition, until } = begin()
  recognition.push(sound)
  await until(words.join(' '))
  expect(await recognition.preview!()).toBe(words.join(' '))
  // Nothing is left to finalize, so that this one has no answer.
  expect(await recognition.preview!()).toBe(words.join(' '))
  recognition.push(sound)
  expect((await recognition.finish()).text).toBe([...words, ...words].join(' '))
  await standIn.allClosed()
})

import { startLocalServer } from '@parlance/testing'
import { msPerCharacter, type SpeechFault, type SpeechStandIn } from '@parlance/testing/stand-ins'
import type { Engine } from '../../src/engine/engine.js'
import { hear, type Kind, kinds, type Log, logOf, shortTimeouts } from './remote-scene.js'

const text = 'A text that a bad server does not speak to its end, at least not as it should be spoken.'

/** The misbehavior of a server, and the error that a client receives. */
const everywhere: Partial<Record<SpeechFault, string>> = {
  'stalls before the first byte': 'upstream_timeout',
  'stalls in the middle': 'upstream_timeout',
  'ends within a sample': 'upstream_error',
  floods: 'upstream_error',
  'closes before the first byte': 'upstream_error',
  'closes in the middle': 'upstream_error',
  'sends nothing and ends': 'upstream_error',
  'answers with an error': 'upstream_error',
  'has no room': 'capacity_exhausted',
  'takes no key': 'upstream_error',
  'has used up its quota': 'upstream_error',
}
const isSilent = (how: SpeechFault) => everywhere[how] === 'upstream_timeout'
const overHttp: typeof everywhere = {
  'answers with a web page': 'upstream_error',
  redirects: 'upstream_error',
  compresses: 'upstream_error',
}
const inJson: typeof everywhere = {
  'ends before its end': 'upstream_error',
  'sends half a group of Base64': 'upstream_error',
  'sends half a line of JSON': 'upstream_error',
  'sends what is not JSON': 'upstream_error',
  'sends JSON without an end': 'upstream_error',
  'sends JSON of another shape': 'upstream_error',
}
const onSockets: typeof everywhere = {
  'sends half a frame': 'upstream_error',
  'sends bytes for text': 'upstream_error',
}
const inWav: typeof everywhere = { 'ends before its end': 'upstream_error', 'sends another rate': 'upstream_error' }

const table: { type: Kind['type']; config?: Record<string, unknown>; ways: typeof everywhere }[] = [
  { type: 'openai', ways: { ...everywhere, ...overHttp } },
  { type: 'openai', config: { response_format: 'wav' }, ways: { ...everywhere, ...overHttp, ...inWav } },
  { type: 'elevenlabs', ways: { ...everywhere, ...overHttp, ...inJson } },
  { type: 'cartesia', ways: { ...everywhere, ...inJson, ...onSockets } },
]

const cases = table.flatMap(({ type, config, ways }) => {
  const kind = kinds.find((kind) => kind.type === type)!
  return Object.entries(ways).map(([how, code]) => ({
    kind,
    config: { ...config, ...(isSilent(how as SpeechFault) ? { timeouts: shortTimeouts } : {}) },
    how: how as SpeechFault,
    code,
    title: config === undefined ? type : `${type} (${Object.values(config).join()})`,
  }))
})

describe('a server that', () => {
  let standIn: SpeechStandIn | undefined
  let engine: Engine | undefined

  afterEach(async () => {
    await engine?.close()
    await standIn?.close()
  })

  const given = async ({ start, open }: Kind, config: Record<string, unknown> | undefined, log: Log) => {
    standIn = await start()
    engine = await open(standIn.url, log, { max_audio_ms_per_character: 50, ...config })
    return { standIn, engine }
  }

  test.each(cases)(
    '$how is one clear line of the log and $code to the client: $title',
    async ({ kind, config, how, code }) => {
      const log = logOf()
      const { standIn, engine } = await given(kind, config, log)
      log.lines.length = 0
      standIn.misbehave(how)
      await expect(hear(engine, text)).rejects.toMatchObject({ name: 'ServiceError', code })
      const logged = log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level !== 'debug')
      expect(logged).toEqual([expect.objectContaining({ engine: 'cloud', msg: 'An utterance failed', level: 'warn' })])
      expect(logged[0].err.message.length).toBeGreaterThan(10)
      expect(JSON.stringify(logged)).not.toContain(text.slice(0, 20))

      expect(standIn.strays()).toBe(0)
      standIn.misbehave(undefined)
      expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
    },
  )

  test.each(kinds)(
    'accepts connections and sends nothing is an engine that is not healthy: $type',
    async ({ open }) => {
      const log = logOf()
      const silent = await startLocalServer(() => new Promise(() => {}))
      silent.server.on('upgrade', () => {})
      engine = await open(silent.url, log, { timeouts: { first_audio_ms: 50 } })
      expect(engine.healthy()).toBe(false)
      expect(log.lines.map((line) => JSON.parse(line).err?.message)).toEqual([
        'the server did not begin to answer in time',
      ])
      await engine.close()
      await silent.close()
    },
  )

  test.each(kinds)('floods fills no more memory than such a text can have: $type', async (kind) => {
    const { standIn, engine } = await given(kind, undefined, logOf())
    standIn.misbehave('floods')
    let audioMs = 0
    const received = (async () => {
      const events = engine.speak(
        {
          text,
          voiceId: engine.voices[0]!.id,
          variant: engine.voices[0]!.variants[0]!.id,
          language: null,
          speed: 1,
          volume: 1,
        },
        { signal: new AbortController().signal },
      )
      for await (const event of events) if (event.kind === 'audio') audioMs += (event.pcm.length * 1000) / 24_000
    })()
    await expect(received).rejects.toMatchObject({ code: 'upstream_error' })
    expect(audioMs).toBeLessThan(30_000 + text.length * 50 + 5000)
    await standIn.givenUp(1)
  })

  test.each(kinds)('fails at everything fills no log: $type', async (kind) => {
    const log = logOf()
    const { standIn, engine } = await given(kind, { health: { failures: 100 }, concurrency: 32 }, log)
    standIn.misbehave('sends nothing and ends')
    await Promise.all(Array.from({ length: 60 }, () => hear(engine, text).catch(() => {})))
    expect(log.lines.filter((line) => line.includes('An utterance failed'))).toHaveLength(20)
  })
})

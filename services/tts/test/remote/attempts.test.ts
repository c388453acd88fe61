import { createClient, createInProcessBus } from '@parlance/bus'
import { createSynthesize } from '@parlance/clients/speech'
import { type SpeechPurpose, ttsContract } from '@parlance/contracts'
import { createMetrics, noTracing } from '@parlance/telemetry'
import { startSpeechWorker } from '../../src/speech-worker.js'
import { kindOf, kinds, logOf } from './remote-scene.js'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Two workers that ask one speech server, and a caller who may be served by either. */
const openInstallation = async (kind: (typeof kinds)[number]) => {
  const standIn = await kind.start({ maxCharacters: 60 })
  stops.push(standIn.close)
  const bus = createInProcessBus()
  const engines = [await kind.open(standIn.url, logOf()), await kind.open(standIn.url, logOf())]
  for (const [index, engine] of engines.entries()) {
    const { logger } = logOf()
    const platform = { bus, instanceId: `worker-${index}`, logger, metrics: createMetrics(), tracing: noTracing }
    const worker = await startSpeechWorker({
      platform,
      engines: [engine],
      fallbacks: [],
      place: 'TTS_ENGINES_FILE',
      queueLimit: 64,
      kept: undefined,
    })
    stops.push(engine.close, () => worker.stop())
  }
  await bus.flush()
  const synthesize = createSynthesize(createClient(bus, ttsContract))
  const speak = (text: string, purpose: SpeechPurpose = 'one_shot') => {
    const request = {
      workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
      text,
      cuts: [],
      voice: engines[0]!.voices[0]!.id,
      variant: null,
      language: null,
      speed: 1,
      volume: 1,
      alignment: [],
      private: false,
      output: { format: 'pcm_s16le' as const, sample_rate: 24_000, bit_rate: null },
    }
    return synthesize(request, { lane: 'cloud', deadlineMs: 10_000, purpose })(() => {}, new AbortController().signal)
  }
  return { standIn, speak }
}

describe.each(kinds)('one request to a server of type $type, through all that tries again', (kind) => {
  test('asks a server that answers with an error three times in all', async () => {
    const { standIn, speak } = await openInstallation(kind)
    standIn.misbehave('answers with an error')
    await expect(speak('Hello there.')).rejects.toMatchObject({ code: 'upstream_error' })
    expect(standIn.asked).toHaveLength(3)
  })

  test.each(['one_shot', 'reply'] as const)(
    'asks a server without room three times in all for a %s',
    async (purpose) => {
      const { standIn, speak } = await openInstallation(kind)
      standIn.misbehave('has no room')
      await expect(speak('Hello there.', purpose)).rejects.toMatchObject({ code: 'capacity_exhausted' })
      expect(standIn.asked).toHaveLength(3)
    },
  )

  test('asks a server that refuses the key once', async () => {
    const { standIn, speak } = await openInstallation(kind)
    standIn.misbehave('takes no key')
    await expect(speak('Hello there.')).rejects.toMatchObject({ code: 'upstream_error' })
    expect(standIn.asked).toHaveLength(1)
  })

  test('asks a healthy server once', async () => {
    const { standIn, speak } = await openInstallation(kind)
    await speak('Hello there.')
    expect(standIn.asked).toHaveLength(1)
  })
})

test('one request that a server answers with the status 400 asks it once', async () => {
  const { standIn, speak } = await openInstallation(kindOf('openai'))
  await expect(speak('Too long a text for this server. '.repeat(3))).rejects.toMatchObject({ code: 'upstream_error' })
  expect(standIn.asked).toHaveLength(1)
})

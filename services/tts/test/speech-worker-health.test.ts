import { type OfferedVoice, ServiceError } from '@parlance/contracts'
import { ada, gate, nova, openWorker, samplesOf, speak, toAda, useWorkers, voiceOf } from './speech-worker-scene.js'
import { createToneEngine, msPerCharacter } from './tone-engine.js'

useWorkers()

describe('health', () => {
  test('what an engine cannot speak is not offered, from when it cannot until it can', async () => {
    const { bus, tts, remote, offered } = await openWorker()
    expect(offered).toEqual(
      new Map([
        ['local', ['Ada']],
        ['remote', ['Nova']],
      ]),
    )
    remote.setHealthy(false)
    await bus.flush()
    expect(offered.get('remote')).toEqual([])
    expect(offered.get('local')).toEqual(['Ada'])
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'unavailable' })
    remote.setHealthy(true)
    await bus.flush()
    expect(offered.get('remote')).toEqual(['Nova'])
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
  })

  test('a variant with a healthy fallback is offered, and spoken by the fallback', async () => {
    const { bus, tts, local, remote, offered } = await openWorker({ fallbacks: toAda })
    remote.setHealthy(false)
    await bus.flush()
    expect(offered.get('remote')).toEqual(['Nova'])
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
    expect([local.begun.length, remote.begun.length]).toEqual([1, 0])
    local.setHealthy(false)
    await bus.flush()
    expect(offered.get('remote')).toEqual([])
  })

  test('a worker with an engine that is not ready serves the others, and is ready itself', async () => {
    const remote = createToneEngine({ name: 'remote', voices: [nova] })
    remote.setHealthy(false)
    const { tts, worker, offered } = await openWorker({ remote })
    expect(worker.hasBeenHealthy).toBe(true)
    expect(offered.get('remote')).toEqual([])
    expect((await speak(tts, 'local', { voice: 'Ada', variant: null })).at(-1)).toMatchObject({ event: 'done' })
  })

  test('a worker is not ready until one of its engines was ready', async () => {
    const engines = ['local', 'remote'].map((name) => createToneEngine({ name, voices: [voiceOf(name, name)] }))
    for (const engine of engines) engine.setHealthy(false)
    const { worker } = await openWorker({ local: engines[0]!, remote: engines[1]! })
    expect(worker.hasBeenHealthy).toBe(false)
    engines[1]!.setHealthy(true)
    engines[1]!.setHealthy(false)
    expect(worker.hasBeenHealthy).toBe(true)
  })
})

describe('fallbacks', () => {
  const failure = new ServiceError('upstream_timeout', 'It did not answer.')

  test('an engine that fails before its first audio is replaced, whatever the sample rates', async () => {
    const failing = () => {
      throw failure
    }
    const remote = createToneEngine({ name: 'remote', voices: [nova], sampleRateHz: 16_000, before: failing })
    const { tts, local, metrics, lines } = await openWorker({ remote, fallbacks: toAda })
    const chunks = await speak(tts, 'remote', { text: 'Hello there.', alignment: ['word'] })
    expect(chunks.at(0)).toMatchObject({ event: 'started' })
    expect(chunks.at(-1)).toMatchObject({ event: 'done', characters_billed: 12 })
    expect(samplesOf(chunks)).toBeCloseTo((12 * msPerCharacter * 8000) / 1000, -1)
    expect(local.begun).toEqual(['Hello there.'])
    expect(await metrics.text()).toMatch(/^parlance_tts_fallback_total{from="remote",to="local"} 1$/m)
    expect(lines.filter(({ fallbackEngine }) => fallbackEngine === 'local')).toMatchObject([{ engine: 'remote' }])
    // The permit of the engine that failed is free again, and so is that of the engine that spoke.
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
  })

  test('an engine that fails after its first audio is not replaced', async () => {
    const remote = createToneEngine({ name: 'remote', voices: [nova], failAt: () => failure })
    const { tts, local, metrics } = await openWorker({ remote, fallbacks: toAda })
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'upstream_timeout' })
    expect(local.begun).toEqual([])
    expect(await metrics.text()).not.toContain('parlance_tts_fallback_total{')
  })

  test('a fallback that is full is passed over, and the first failure is reported', async () => {
    const { open, opened } = gate()
    const local = createToneEngine({ name: 'local', voices: [ada], before: () => opened })
    const remote = createToneEngine({ name: 'remote', voices: [nova], before: () => Promise.reject(failure) })
    const { bus, tts } = await openWorker({ local, remote, fallbacks: toAda })
    const busy = speak(tts, 'local', { voice: 'Ada', variant: null })
    while (local.begun.length === 0) await bus.flush()
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'upstream_timeout' })
    open()
    await busy
  })

  test('a fallback that does not speak the requested language is not used', async () => {
    const german = { ...ada, languages: ['de'] }
    const local = createToneEngine({ name: 'local', voices: [german] })
    const remote = createToneEngine({ name: 'remote', voices: [nova], before: () => Promise.reject(failure) })
    const { tts } = await openWorker({ local, remote, fallbacks: toAda })
    await expect(speak(tts, 'remote', { language: 'en' })).rejects.toMatchObject({ code: 'upstream_timeout' })
    expect((await speak(tts, 'remote', { language: null })).at(-1)).toMatchObject({ event: 'done' })
  })

  test('a chain with a voice that no engine has fails the start', async () => {
    const fallbacks = [{ ...toAda[0]!, instead: [{ voice: 'Bo', variant: 'local' }] }]
    await expect(openWorker({ fallbacks })).rejects.toMatchObject({
      name: 'StartupError',
      lines: ['TTS_ENGINES_FILE: /etc/engines.json: fallbacks.0.instead.0.voice: no engine has a voice Bo'],
    })
  })

  test('a chain may name a voice of an engine that gets its voices later', async () => {
    let voices: OfferedVoice[] = []
    const late = createToneEngine({ name: 'local' })
    const local = Object.defineProperty({ ...late }, 'voices', { get: () => voices })
    local.setHealthy(false)
    const remote = createToneEngine({ name: 'remote', voices: [nova], before: () => Promise.reject(failure) })
    const { tts } = await openWorker({ local, remote, fallbacks: toAda })
    await expect(speak(tts, 'remote')).rejects.toMatchObject({ code: 'upstream_timeout' })
    voices = [ada]
    local.setHealthy(true)
    expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
    expect((await speak(tts, 'local', { voice: 'Ada', variant: null })).at(-1)).toMatchObject({ event: 'done' })
  })
})

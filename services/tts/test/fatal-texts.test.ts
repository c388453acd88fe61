import { fileURLToPath } from 'node:url'
import { jest } from '@jest/globals'
import { createClient, createInProcessBus } from '@parlance/bus'
import { createSynthesize } from '@parlance/clients/speech'
import { ServiceError, type SynthesisChunk, ttsContract } from '@parlance/contracts'
import { createMetrics, noTracing } from '@parlance/telemetry'
import { FatalTextError, ProcessLostError } from '../src/engine/process-end.js'
import { openProcessEngine } from '../src/engine/process-engine.js'
import { createFatalTexts, type FatalText } from '../src/fatal-texts.js'
import { startSpeechWorker } from '../src/speech-worker.js'
import { watchProcesses } from './engine-scene.js'

jest.setTimeout(120_000)

const fragile = fileURLToPath(new URL('./fragile-engine.mjs', import.meta.url))
const [abusive, other] = ['5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', '0b7e2a6c-5b1f-4f4d-8a52-1f2d3c4b5a69'] as const

describe('what is known of fatal texts', () => {
  const spoken = (text: string) => ({ engine: 'one', workspaceId: abusive, text })
  const scene = () => {
    const scene = { nowMs: 1, reported: [] as FatalText[] }
    const onFatalText = (fatal: FatalText) => void scene.reported.push(fatal)
    const fatalTexts = createFatalTexts({ onFatalText, now: () => scene.nowMs })
    return Object.assign(scene, { fatalTexts })
  }
  const crash = new FatalTextError(new Error('crashed'))

  it('refuses a text for ten minutes after it ended a process, in the engine whose process that was', () => {
    const { fatalTexts } = scene()
    fatalTexts.onFailure(crash, spoken('a.'))
    expect(() => fatalTexts.checkText('one', 'a.')).toThrow(/^invalid_request: text: /)
    expect(() => fatalTexts.checkText('one', 'a. ')).not.toThrow()
    expect(() => fatalTexts.checkText('two', 'a.')).not.toThrow()
  })

  it('accepts a text and a workspace again after a while', () => {
    const known = scene()
    for (const text of ['1', '2', '3']) known.fatalTexts.onFailure(crash, spoken(text))
    const retryAfterSeconds = 1
    expect(() => known.fatalTexts.checkWorkspace(abusive)).toThrow(
      expect.objectContaining({ code: 'rate_limited', retryAfterSeconds }),
    )
    known.nowMs += 10 * 60_000 + 1
    expect(() => known.fatalTexts.checkText('one', '1')).not.toThrow()
    expect(() => known.fatalTexts.checkWorkspace(abusive)).not.toThrow()
    known.fatalTexts.onFailure(crash, spoken('4'))
    expect(() => known.fatalTexts.checkWorkspace(abusive)).not.toThrow()
  })

  it('remembers a bounded number of texts, the latest of them', () => {
    const { fatalTexts } = scene()
    for (let n = 0; n <= 4096; n++) fatalTexts.onFailure(crash, spoken(`${n}`))
    expect(() => fatalTexts.checkText('one', '0')).not.toThrow()
    expect(() => fatalTexts.checkText('one', '1')).toThrow()
    expect(() => fatalTexts.checkText('one', '4096')).toThrow()
  })

  it('has a workspace pause twice as long after each text but the first, up to a minute, and no other workspace', () => {
    const known = scene()
    const pauses: number[] = []
    for (let n = 0; n < 12; n++) {
      known.fatalTexts.onFailure(crash, spoken(`${n}`))
      const fromMs = known.nowMs
      for (;;) {
        try {
          known.fatalTexts.checkWorkspace(abusive)
          break
        } catch {
          known.nowMs += 250
        }
      }
      pauses.push(known.nowMs - fromMs)
      expect(() => known.fatalTexts.checkWorkspace(other)).not.toThrow()
    }
    expect(pauses).toEqual([0, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  it('refuses a text with which a process was lost for another reason after the second time', () => {
    const { fatalTexts, reported } = scene()
    const loss = new ProcessLostError('upstream_error', 'It was killed.')
    fatalTexts.onFailure(loss, spoken('a.'))
    expect(() => fatalTexts.checkText('one', 'a.')).not.toThrow()
    fatalTexts.onFailure(loss, spoken('a.'))
    expect(() => fatalTexts.checkText('one', 'a.')).toThrow()
    expect(reported).toHaveLength(1)
  })

  it('is not changed by any other failure', () => {
    const { fatalTexts, reported } = scene()
    const failures = [
      new ServiceError('upstream_error', 'No.'),
      new ServiceError('invalid_request', 'No.'),
      new Error(),
    ]
    for (const failure of failures) for (const _ of '12') fatalTexts.onFailure(failure, spoken('a.'))
    expect(reported).toEqual([])
  })

  it('includes what another worker reports', () => {
    const [here, there] = [scene(), scene()]
    here.fatalTexts.onFailure(crash, spoken('a.'))
    for (const fatal of here.reported) there.fatalTexts.learn(fatal)
    expect(() => there.fatalTexts.checkText('one', 'a.')).toThrow()
    expect(there.reported).toEqual([])
  })
})

describe('two workers whose engine crashes on some texts', () => {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })

  const openInstallation = async ({ jobSilenceTimeoutMs = 20_000, processes = 2 } = {}) => {
    const bus = createInProcessBus()
    const watched = [watchProcesses(), watchProcesses()]
    for (const [index, { logger }] of watched.entries()) {
      const engine = await openProcessEngine({
        name: 'fragile',
        synthesis: 'formant',
        command: [process.execPath, fragile],
        logger,
        processes,
        jobSilenceTimeoutMs,
      })
      const platform = { bus, instanceId: `worker-${index}`, logger, metrics: createMetrics(), tracing: noTracing }
      const worker = await startSpeechWorker({
        platform,
        engines: [engine],
        fallbacks: [],
        place: 'TTS_ENGINES_FILE',
        queueLimit: 64,
        kept: undefined,
      })
      stops.push(engine.close, worker.stop)
    }
    await bus.flush()
    const synthesize = createSynthesize(createClient(bus, ttsContract))
    const speak = async (text: string, workspace_id: string = abusive) => {
      const chunks: SynthesisChunk[] = []
      const request = {
        workspace_id,
        text,
        cuts: [],
        voice: 'Frail',
        variant: null,
        language: null,
        speed: 1,
        volume: 1,
        alignment: [],
        private: false,
        output: { format: 'pcm_s16le' as const, sample_rate: 16_000, bit_rate: null },
      }
      const take = (chunk: SynthesisChunk) => void chunks.push(chunk)
      await synthesize(request, { lane: 'fragile', deadlineMs: 25_000 })(take, new AbortController().signal)
      return chunks.at(-1)?.event
    }
    const codeOf = (text: string, workspaceId?: string) =>
      speak(text, workspaceId).then(
        (last) => last,
        (error: ServiceError) => error.code,
      )
    const ended = () => watched.flatMap(({ logged }) => logged('An engine process ended')).length
    return { speak, codeOf, ended, bus }
  }

  test('a text that crashes a process is sent to no other, by its worker or by its caller, then or later', async () => {
    const { codeOf, ended } = await openInstallation()
    expect(await codeOf('CRASH')).toBe('invalid_request')
    expect(ended()).toBe(1)
    // Either worker may be asked.
    for (let turn = 0; turn < 8; turn++) expect(await codeOf('CRASH')).toBe('invalid_request')
    for (let turn = 0; turn < 8; turn++) expect(await codeOf('CRASH', other)).toBe('invalid_request')
    expect(ended()).toBe(1)
    expect(await codeOf('Hello.')).toBe('done')
  })

  test('a text that silences a process ends in a time-out, and the second time in a refusal of every later one', async () => {
    const { codeOf, ended } = await openInstallation({ jobSilenceTimeoutMs: 1500 })
    // Each worker counts its own fatal texts, so both may have counted one before either has counted two.
    const codes: (string | undefined)[] = []
    while (codes.at(-1) !== 'invalid_request' && codes.length < 5) codes.push(await codeOf('HANG'))
    expect(codes.slice(0, 2)).toEqual(['upstream_timeout', 'upstream_timeout'])
    expect(codes.at(-1)).toBe('invalid_request')
    expect(ended()).toBe(codes.length - 1)
    expect(ended()).toBeLessThanOrEqual(3)
  })

  test('a workspace that keeps sending such texts is slowed, and all that another one asks for is served', async () => {
    const { codeOf, ended } = await openInstallation()
    const codes: (string | undefined)[] = []
    let sending = true
    const send = async () => {
      for (let n = 0; sending; n++) {
        const attack = codeOf(`CRASH ${n}`).then((code) => codes.push(code))
        await Promise.race([attack, new Promise((resolve) => setTimeout(resolve, 100))])
      }
    }
    const attack = send()
    const served: (string | undefined)[] = []
    while (codes.length < 20 || served.length < 20) {
      served.push(await codeOf('Hello.', other))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    sending = false
    await attack
    expect(new Set(served)).toEqual(new Set(['done']))
    // Where it asks for more than its share meanwhile it is refused as any workspace is.
    expect(['invalid_request', 'rate_limited', 'capacity_exhausted']).toEqual(
      expect.arrayContaining([...new Set(codes)]),
    )
    expect(codes).toContain('rate_limited')
    expect(ended()).toBeLessThan(codes.length / 2)
  })
})

import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queueLaneOf, type SynthesisChunk } from '@parlance/contracts'
import { type ToneModelOptions, writeToneModel } from '@parlance/testing'
import { startInstalledModels } from '../src/installed-models.js'
import { isRunning } from './engine-scene.js'
import { openWorker, request, samplesOf, speak, stops, useWorkers } from './speech-worker-scene.js'

useWorkers()

const patienceMs = 60_000
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-installed-'))
})
afterAll(() => rm(home, { recursive: true }))

/** A worker with the models of a new folder, which are real engine processes. */
const openInstalled = async () => {
  const modelsDir = await mkdtemp(join(home, 'models-'))
  const scene = await openWorker({ quietMs: 100, queueLimit: 10 })
  const { worker, logger, lines, offered, bus } = scene
  // A second process would be starting still when a test removes its model.
  const models = startInstalledModels({ modelsDir, worker, processes: 1, logger, onReplace: () => {} })
  stops.push(() => models.stop())
  let count = 0
  const install = async (name: string, options: ToneModelOptions = {}) => {
    const staging = join(home, `staging-${++count}`, name)
    await writeToneModel(staging, options)
    await rename(staging, join(modelsDir, name))
  }
  const eventually = async (isSo: () => boolean) => {
    const giveUpAtMs = performance.now() + patienceMs / 2
    while (!isSo() && performance.now() < giveUpAtMs) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(isSo()).toBe(true)
  }
  return {
    ...scene,
    modelsDir,
    install,
    remove: (name: string) => rename(join(modelsDir, name), join(modelsDir, `.${name}.removed`)),
    offers: (name: string) => eventually(() => (offered.get(`local-${name}`) ?? []).length > 0),
    withdraws: (name: string) => eventually(() => offered.get(`local-${name}`)?.length === 0),
    eventually,
    logged: (message: string) => lines.filter(({ msg }) => msg === message),
    errors: async () => {
      await bus.flush()
      return lines.filter(({ level }) => level === 'error')
    },
  }
}

const tones = { text: 'Hello world, one two three.', voice: 'Tones', variant: 'tones' }

test('a model speaks when its folder comes, and a speech in progress ends whole when the folder goes', async () => {
  const { tts, install, remove, offers, withdraws, eventually, lines, logged, errors } = await openInstalled()
  await install('tones')
  await offers('tones')
  const whole = await speak(tts, 'local-tones', tones)
  expect(whole.at(-1)).toMatchObject({ event: 'done' })
  const pids = lines.flatMap(({ msg, pid }) => (msg === 'An engine process is ready' ? [pid!] : []))
  expect(pids.every(isRunning)).toBe(true)

  const text = `${tones.text} ${tones.text} ${tones.text}`
  const cuts = [tones.text.length + 1, 2 * (tones.text.length + 1)]
  const chunks: SynthesisChunk[] = []
  await tts.synthesize(request({ ...tones, text, cuts }), { lane: 'local-tones' })(async (chunk) => {
    if (chunks.push(chunk) > 1) return
    await remove('tones')
    await withdraws('tones')
  }, new AbortController().signal)
  expect(chunks.filter(({ event }) => event === 'segment')).toHaveLength(3)
  expect(chunks.at(-1)).toMatchObject({ event: 'done', characters_billed: text.length })
  expect(samplesOf(chunks)).toBeGreaterThan(2.9 * samplesOf(whole))

  await eventually(() => logged('A speech model has been closed').length === 1)
  expect(pids.some(isRunning)).toBe(false)
  expect(await errors()).toEqual([])
})

test('while models are added, changed and removed, no speech is cut off or refused', async () => {
  const { tts, modelsDir, install, remove, offers, withdraws, eventually, logged, errors } = await openInstalled()
  await install('tones')
  await offers('tones')
  const length = samplesOf(await speak(tts, 'local-tones', tones))
  let isOver = false
  let spoken = 0
  const speakOn = async () => {
    while (!isOver) {
      // Two callers share one process, so one waits in the queue.
      expect(samplesOf(await speak(tts, queueLaneOf('local-tones'), tones))).toBe(length)
      expect((await speak(tts, queueLaneOf('remote'))).at(-1)).toMatchObject({ event: 'done' })
      spoken += 1
    }
  }
  const speaking = Promise.all([speakOn(), speakOn()])
  await install('others')
  await offers('others')
  await writeFile(join(modelsDir, 'others/parlance.json'), '{"display_name":"Else"}')
  await eventually(() => logged('A speech model has been closed').length === 1)
  await offers('others')
  await remove('others')
  await withdraws('others')
  await eventually(() => logged('A speech model has been closed').length === 2)
  isOver = true
  await speaking
  expect(spoken).toBeGreaterThan(0)
  expect(await errors()).toEqual([])
})

test('a model that cannot be loaded is logged in one line with its reason, and the others are loaded', async () => {
  const { install, offers, errors, modelsDir, eventually, logged } = await openInstalled()
  const tokensOf = (name: string) => join(modelsDir, name, 'tokens.txt')
  // The library ends the process for models of this kind that are too old.
  await install('old', { metadata: { comment: 'melo' } })
  await install('tones')
  await offers('tones')
  const tokens = (await readFile(tokensOf('tones'), 'utf8')).replace(/^UW \d+$/m, 'UW 500')
  await writeFile(tokensOf('tones'), tokens)
  await eventually(() => logged('A speech model cannot be used').length === 2)
  expect(await errors()).toMatchObject([
    { folder: 'old', err: { message: expect.stringMatching(/^the engine process ended.*MeloTTS/) } },
    { folder: 'tones', err: { message: 'the model failed during synthesis' } },
  ])
})

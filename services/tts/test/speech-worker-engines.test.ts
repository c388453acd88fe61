import { queueLaneOf } from '@parlance/contracts'
import { collect, gate, openWorker, request, samplesOf, speak, useWorkers, voiceOf } from './speech-worker-scene.js'
import { createToneEngine, msPerCharacter } from './tone-engine.js'

useWorkers()

const mia = voiceOf('Mia', 'mia')
const toMia = { voice: mia.id, variant: 'mia' }

const miaSpeaks = (before?: () => Promise<void>) =>
  createToneEngine({ name: 'mia', voices: [mia], ...(before === undefined ? {} : { before }) })

test('an engine that is added is offered and speaks, and one of the same name is refused', async () => {
  const { bus, tts, worker, offered } = await openWorker()
  await worker.add(miaSpeaks())
  await bus.flush()
  expect(offered.get('mia')).toEqual(['Mia'])
  expect((await speak(tts, 'mia', toMia)).at(-1)).toMatchObject({ event: 'done' })
  await expect(worker.add(miaSpeaks())).rejects.toThrow('there is an engine mia already')
})

test('a removed engine is withdrawn at once, and requests of callers that cached its voice are served until none arrives', async () => {
  const { open, opened } = gate()
  const { bus, tts, worker, offered } = await openWorker({ quietMs: 1_000, queueLimit: 10 })
  const engine = miaSpeaks(() => opened)
  await worker.add(engine)
  const inProgress = speak(tts, 'mia', toMia)
  while (engine.begun.length === 0) await bus.flush()
  let hasRetired = false
  const removed = worker.remove('mia').then(() => {
    hasRetired = true
  })
  await bus.flush()
  expect(offered.get('mia')).toEqual([])
  const late = collect(tts.synthesize(request(toMia), { lane: queueLaneOf('mia'), deadlineMs: 10_000 }))
  await bus.flush()
  expect(hasRetired).toBe(false)
  open()
  for (const chunks of await Promise.all([inProgress, late])) {
    expect(chunks.at(-1)).toMatchObject({ event: 'done' })
    expect(samplesOf(chunks)).toBe(request().text.length * msPerCharacter * 8)
  }
  await removed
  expect(engine.stopped()).toBe(0)
  await expect(speak(tts, 'mia', toMia)).rejects.toMatchObject({ code: 'unavailable' })
  expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
  await worker.add(miaSpeaks())
  expect((await speak(tts, 'mia', toMia)).at(-1)).toMatchObject({ event: 'done' })
})

test('a worker that stops does not wait for removed engines to be quiet, but for their speeches', async () => {
  const { open, opened } = gate()
  const { bus, tts, worker } = await openWorker({ quietMs: 3_600_000 })
  const engine = miaSpeaks(() => opened)
  await worker.add(engine)
  const inProgress = speak(tts, 'mia', toMia)
  while (engine.begun.length === 0) await bus.flush()
  const ended = Promise.all([worker.remove('mia'), worker.stop()])
  await bus.flush()
  open()
  expect((await inProgress).at(-1)).toMatchObject({ event: 'done' })
  await ended
  await expect(worker.add(miaSpeaks())).rejects.toThrow('the worker is stopping')
})

test('an engine that was added is a fallback only while it is there', async () => {
  const fallbacks = [{ voice: 'Nova', variant: 'remote', instead: [{ voice: 'Ada', variant: 'local' }] }]
  const { bus, tts, worker, local, remote, offered } = await openWorker({ fallbacks, quietMs: 1 })
  remote.setHealthy(false)
  await bus.flush()
  expect(offered.get('remote')).toEqual(['Nova'])
  await worker.remove('local')
  await bus.flush()
  expect(offered.get('remote')).toEqual([])
  await worker.add(local)
  await bus.flush()
  expect(offered.get('remote')).toEqual(['Nova'])
  expect((await speak(tts, 'remote')).at(-1)).toMatchObject({ event: 'done' })
})

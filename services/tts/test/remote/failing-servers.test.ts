import { msPerCharacter, type SpeechStandIn, standInKey } from '@parlance/testing/stand-ins'
import type { Engine } from '../../src/engine/engine.js'
import { health, hear, kinds, type Log, logOf } from './remote-scene.js'

const text = 'One sentence that is long enough to come in several pieces.'

describe.each(kinds)('an engine of type $type whose server fails', ({ start, open }) => {
  let standIn: SpeechStandIn
  let engine: Engine
  let log: Log

  beforeEach(async () => {
    standIn = await start()
    log = logOf()
    engine = await open(standIn.url, log)
  })
  afterEach(async () => {
    await engine.close()
    await standIn.close()
  })

  test.each(['answers with an error', 'has no room', 'closes before the first byte'] as const)(
    'asks again, without a loss of audio, when the server %s',
    async (how) => {
      standIn.misbehave(how, 2)
      expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
      expect(standIn.asked).toHaveLength(3)
    },
  )

  test('does not ask again once audio was received', async () => {
    standIn.misbehave('closes in the middle', 1)
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(standIn.asked).toHaveLength(1)
  })

  test('a server that keeps failing is unhealthy and not called for speech until it is healthy again', async () => {
    standIn.misbehave('closes in the middle')
    standIn.setWell(false)
    for (let i = 0; i < 3; i++) await expect(hear(engine, text)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(engine.healthy()).toBe(false)
    const before = standIn.asked.length
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(standIn.asked).toHaveLength(before)

    standIn.misbehave(undefined)
    standIn.setWell(true)
    await health(engine, true)
    expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
  })

  test('one failure after its recovery makes it unhealthy again', async () => {
    standIn.misbehave('closes in the middle')
    const away = health(engine, false)
    for (let i = 0; i < 3; i++) await hear(engine, text).catch(() => {})
    await away
    await health(engine, true)
    await hear(engine, text).catch(() => {})
    expect(engine.healthy()).toBe(false)
  })

  test('the audio of a slow but steady server is received to its end, however long that takes', async () => {
    const timeouts = { first_audio_ms: 400, idle_ms: 400 }
    const patient = await open(standIn.url, logOf(), { timeouts })
    standIn.misbehave('dawdles', 1)
    const long = 'a word or so '.repeat(20)
    expect((await hear(patient, long)).audioMs).toBe(long.length * msPerCharacter)
    await patient.close()
  })

  test('a busy server is not an unhealthy one', async () => {
    standIn.misbehave('has no room')
    for (let i = 0; i < 5; i++) await expect(hear(engine, text)).rejects.toMatchObject({ code: 'capacity_exhausted' })
    expect(engine.healthy()).toBe(true)
  })

  test('a server that is not there yet is an engine that is not healthy, and becomes so when it is', async () => {
    const unwell = await start()
    unwell.setWell(false)
    const late = await open(unwell.url, logOf())
    expect(late.healthy()).toBe(false)
    expect(late.voices).toEqual([])
    unwell.setWell(true)
    await health(late, true)
    expect((await hear(late, text)).audioMs).toBe(text.length * msPerCharacter)
    await late.close()
    await unwell.close()
  })

  test('the secret is in no log line, no error and no info, whatever the server sends', async () => {
    const errors: unknown[] = []
    for (const how of [
      'takes no key',
      'has used up its quota',
      'answers with an error',
      'closes in the middle',
    ] as const) {
      standIn.misbehave(how)
      errors.push(await hear(engine, text).catch((error: unknown) => error))
    }
    const inspected = JSON.stringify([
      log.lines,
      engine.info,
      engine.voices,
      errors.map((error) => [String(error), error]),
    ])
    expect(log.lines.length).toBeGreaterThan(3)
    expect(inspected).not.toContain(standInKey)
    expect(inspected).not.toContain(standInKey.slice(3))
  })
})

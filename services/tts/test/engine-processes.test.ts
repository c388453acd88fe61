import { mkdtemp, rm, symlink, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { ProcessEndedError } from '../src/engine/engine.js'
import { openProcessEngine } from '../src/engine/process-engine.js'
import {
  begin,
  finish,
  hear,
  isRunning,
  listen,
  longText,
  openScene,
  program,
  type Scene,
  speech,
} from './engine-scene.js'

const opened: Scene[] = []
const open = async (options: Parameters<typeof openScene>[0]): Promise<Scene> => {
  const scene = await openScene(options)
  opened.push(scene)
  return scene
}

let scene: Scene
beforeAll(async () => {
  scene = await open({})
})
afterAll(() => Promise.all(opened.map(({ engine }) => engine.close())))

const codeOf = async (failing: Promise<unknown>): Promise<string> => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ServiceError)) throw error ?? new Error('it did not fail')
  return error.code
}

describe('an engine of processes', () => {
  it('has its minimum of processes at rest; another starts when an utterance waits, and one ends after it was idle', async () => {
    const { engine, pids, ready } = await open({ processes: 2, minProcesses: 1, idleMs: 0 })
    await hear(engine, 'First.')
    expect(pids()).toHaveLength(1)
    await Promise.all([hear(engine, longText), hear(engine, 'Next.')])
    await ready(2)
    while (pids().filter(isRunning).length > 1) await delay(5)
    expect((await hear(engine, 'Last.')).samples).toBeGreaterThan(0)
    expect(pids()).toHaveLength(2)
    expect(pids().filter(isRunning)).toHaveLength(1)
  })

  it('replaces a process that is killed while nothing is spoken', async () => {
    const { engine, pids, pid, ready } = scene
    const before = pids().length
    process.kill(pid(), 'SIGKILL')
    await ready(before + 1)
    expect((await hear(engine, 'Next.')).words).toHaveLength(1)
  })

  it('fails a text whose process is killed, and speaks the next', async () => {
    const { engine, pid } = await open({ processes: 1 })
    process.kill(pid(), 'SIGSTOP')
    const failing = hear(engine, 'Next.')
    process.kill(pid(), 'SIGKILL')
    await expect(failing).rejects.toBeInstanceOf(ProcessEndedError)
    expect((await hear(engine, 'Next.')).words).toHaveLength(1)
  })

  it('replaces a process after its maximum of utterances, and lets requests wait meanwhile', async () => {
    const replaced: string[] = []
    const { engine, pids } = await open({ utterancesPerProcess: 2, onReplace: () => replaced.push('one') })
    const received = await Promise.all(['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text) => hear(engine, text)))
    expect(received.every(({ samples }) => samples > 0)).toBe(true)
    expect(pids()).toHaveLength(3)
    expect(engine.healthy()).toBe(true)
    expect(replaced).toEqual([])
  })

  it('replaces a process that has more memory resident than its maximum after 100 utterances', async () => {
    const { engine, pids } = await open({ maxResidentBytes: 1 })
    for (let count = 0; count < 100; count++) await hear(engine, 'One.')
    expect(pids()).toHaveLength(1)
    await hear(engine, 'Next.')
    expect(pids()).toHaveLength(2)
  })

  it('gives up a process that falls silent in an utterance, and replaces it', async () => {
    const { engine, pids } = await open({ jobSilenceTimeoutMs: 2000 })
    const speaking = await begin(speech(engine, longText))
    process.kill(pids()[0]!, 'SIGSTOP')
    expect(await codeOf(finish(speaking))).toBe('upstream_timeout')
    expect((await hear(engine, 'Next.')).words).toHaveLength(1)
    expect(isRunning(pids()[0]!)).toBe(false)
  })

  it('replaces a process that does not obey a cancel', async () => {
    const { engine, pids, pid } = scene
    const before = pids().length
    const disobedient = pid()
    const speaking = await begin(speech(engine, longText))
    process.kill(disobedient, 'SIGSTOP')
    await speaking.return?.()
    expect((await hear(engine, 'Next.')).words).toHaveLength(1)
    expect(pids()).toHaveLength(before + 1)
    expect(isRunning(disobedient)).toBe(false)
  })

  it('closes also when a process is stopped', async () => {
    const { engine, pid } = await open({})
    process.kill(pid(), 'SIGSTOP')
    await engine.close()
    expect(isRunning(pid())).toBe(false)
  })

  it.each([
    ['is not there', ['/nowhere/engine'] as const],
    ['ends at once', [process.execPath, '-e', 'process.exit(3)'] as const],
    [
      'speaks no protocol',
      [process.execPath, '-e', 'process.stdout.write("hello, world"); setInterval(() => {}, 9)'] as const,
    ],
    ['sends nothing', [process.execPath, '-e', 'setInterval(() => {}, 9)'] as const],
  ])('is not healthy with a program that %s, and fails what it is given at once', async (_case, command) => {
    const logger = createLogger({ name: 'test', level: 'silent' })
    const engine = await openProcessEngine({
      name: 'none',
      synthesis: 'formant',
      command,
      logger,
      processes: 2,
      startTimeoutMs: 1000,
    })
    expect(engine.healthy()).toBe(false)
    expect(engine.voices).toEqual([])
    const asked = { text: 'Hi.', voiceId: '0'.repeat(32), variant: 'standard', language: null, speed: 1, volume: 1 }
    expect(await codeOf(listen(engine, engine.speak(asked, { signal: new AbortController().signal })))).toBe(
      'upstream_error',
    )
    await engine.close()
  })

  it('becomes unhealthy when its program can no longer be started, and healthy with its voices when it can', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-engine-'))
    const link = join(folder, 'engine.mjs')
    const { engine, pids } = await open({ command: [process.execPath, link], processes: 1 })
    const change = () =>
      new Promise<boolean>((resolve) => {
        const end = engine.onHealthChange(() => {
          end()
          resolve(engine.healthy())
        })
      })
    expect([engine.healthy(), engine.voices.length]).toEqual([false, 0])
    const recovered = change()
    await symlink(program, link)
    expect(await recovered).toBe(true)
    expect(engine.voices.length).toBeGreaterThan(0)
    expect((await hear(engine, 'Hello.')).words).toHaveLength(1)
    await unlink(link)
    const failed = change()
    const spoken = codeOf(hear(engine, longText))
    const waiting = codeOf(hear(engine, 'Next.'))
    process.kill(pids()[0]!, 'SIGKILL')
    expect(await failed).toBe(false)
    expect(await waiting).toBe('upstream_error')
    await spoken
    expect(engine.active()).toBe(0)
    expect(await codeOf(hear(engine, 'Hello.'))).toBe('upstream_error')
    await rm(folder, { recursive: true })
  })

  it('does not open, and tries no further, on a program that reports why it cannot speak', async () => {
    const program = `
      import { EngineUnavailableError, runEngineHost } from '@parlance/engine/host'
      await runEngineHost(() => { throw new EngineUnavailableError('there is no library') })`
    const lines: string[] = []
    const logger = createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } })
    const command = [process.execPath, '--input-type=module', '-e', program] as const
    await expect(
      openProcessEngine({ name: 'none', synthesis: 'formant', command, logger, processes: 2 }),
    ).rejects.toThrow(/^there is no library$/)
    expect(lines.join('')).not.toContain('could not be started')
  })

  it('logs its implementation once, however many processes there are', async () => {
    const { engine, logged, ready } = await open({ processes: 2 })
    await ready(2)
    expect(logged('A speech engine is ready')).toEqual([
      expect.objectContaining({ engine: 'espeak-ng', version: engine.info.version, capacity: 2 }),
    ])
  })
})

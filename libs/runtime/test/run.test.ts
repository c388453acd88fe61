import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const built = fileURLToPath(new URL('../dist/index.js', import.meta.url))
const zod = import.meta.resolve('zod')
const children: ChildProcess[] = []

/** A process that runs two services; `script` defines how they behave. It prints a line for each of their steps. */
const start = (script: string, environment: Record<string, string> = {}) => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { run } from ${JSON.stringify(built)}
       import { z } from ${JSON.stringify(zod)}
       const service = (name, { stop, start, env = z.object({}) } = {}) => ({
         name, needs: [], env,
         async start() {
           await start?.()
           return { ready: () => true, async stop() { console.log('stop ' + name); await stop?.() } }
         },
       })
       const forever = () => new Promise((resolve) => setTimeout(resolve, 1e6))
       setInterval(() => {}, 1e6) // Keeps the process alive, as a listening service does.
       ${script}`,
    ],
    { env: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  children.push(child)
  const lines: string[] = []
  const seen = createInterface({ input: child.stdout })
  seen.on('line', (line) => lines.push(line))
  const errors = text(child.stderr)
  return {
    child,
    lines,
    async until(wanted: string) {
      while (!lines.includes(wanted)) await once(seen, 'line')
    },
    async ended() {
      const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode]
      return { code: code as number, errors: (await errors).trim().split('\n') }
    },
  }
}

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the services in reverse order and ends with 0', async (signal) => {
  const { child, lines, until, ended } = start(`await run([service('a'), service('b')]); console.log('up')`)
  await until('up')
  child.kill(signal)
  expect(await ended()).toEqual({ code: 0, errors: [''] })
  expect(lines).toEqual(['up', 'stop b', 'stop a'])
})

test('one Ctrl-C that arrives twice, as it does under npm, still stops gracefully', async () => {
  const { child, lines, until, ended } = start(
    `await run([service('a', { stop: () => new Promise((done) => setTimeout(done, 100)) }), service('b')])
     console.log('up')`,
  )
  await until('up')
  child.kill('SIGINT')
  child.kill('SIGINT')
  expect(await ended()).toMatchObject({ code: 0 })
  expect(lines).toContain('stop a')
})

test('a second signal ends the process at once', async () => {
  const { child, until, ended } = start(
    `await run([service('a'), service('b', { stop: () => setTimeout(() => console.log('waiting'), 600) && forever() })])
     console.log('up')`,
  )
  await until('up')
  child.kill('SIGINT')
  await until('waiting')
  child.kill('SIGINT')
  expect(await ended()).toMatchObject({ code: 130 })
})

test('the process waits for a service whose drain time exceeds the limit', async () => {
  const { child, lines, until, ended } = start(
    `const slow = service('a', { stop: () => new Promise((done) => setTimeout(() => done(console.log('stopped')), 700)) })
     await run([{ ...slow, drainMs: (env) => Number(env.A_DRAIN_MS), env: z.object({ A_DRAIN_MS: z.string() }) }], { stopWithinMs: 50 })
     console.log('up')`,
    { A_DRAIN_MS: '600' },
  )
  await until('up')
  child.kill('SIGTERM')
  expect(await ended()).toEqual({ code: 0, errors: [''] })
  expect(lines).toEqual(['up', 'stop a', 'stopped'])
})

test('services that do not stop in time are abandoned, with exit code 1', async () => {
  const { child, until, ended } = start(
    `await run([service('a'), service('b', { stop: forever })], { stopWithinMs: 50 }); console.log('up')`,
  )
  await until('up')
  child.kill('SIGTERM')
  expect(await ended()).toMatchObject({ code: 1 })
})

test('a signal during the start stops what had started and ends with 0', async () => {
  const { child, lines, until, ended } = start(
    `await run([service('a'), service('b', { start: () => new Promise((done) => {
       console.log('starting'); process.once('SIGTERM', done)
     }) })])
     console.log('up')`,
  )
  await until('starting')
  child.kill('SIGTERM')
  expect(await ended()).toMatchObject({ code: 0 })
  expect(lines).toEqual(['starting', 'stop b', 'stop a'])
})

test.each([
  ['an unhandled rejection', `Promise.reject(new Error('unseen'))`],
  ['an uncaught exception', `setImmediate(() => { throw new Error('unseen') })`],
])('%s is logged, and the process stops its services and ends with 1', async (_name, fault) => {
  const { lines, ended } = start(`await run([service('a'), service('b')]); ${fault}`)
  expect(await ended()).toEqual({ code: 1, errors: [''] })
  const logged = lines.find((line) => line.startsWith('{'))
  expect(JSON.parse(logged ?? '{}')).toMatchObject({ level: 'fatal', err: { message: 'unseen' } })
  expect(lines.filter((line) => line.startsWith('stop'))).toEqual(['stop b', 'stop a'])
})

test('a start error that the operator can fix prints its lines and no stack, and ends with 1', async () => {
  const { lines, ended } = start(
    `await run([service('a', { env: z.object({ SECRET: z.string().describe('random characters') }) }), service('b')])`,
    { HEALTH_PORT: 'x' },
  )
  const { code, errors } = await ended()
  expect(code).toBe(1)
  expect(errors).toEqual([
    expect.stringMatching(/^HEALTH_PORT is not valid\./),
    'SECRET is not set. Set it to random characters.',
  ])
  expect(lines).toEqual([])
})

test('a start that fails because of a bug has its reason in the log', async () => {
  const { lines, ended } = start(`await run([service('a'), service('b', { start: () => { throw new Error('bug') } })])`)
  expect(await ended()).toEqual({ code: 1, errors: ['The start failed. The log has the reason.'] })
  expect(lines[0]).toBe('stop a')
  expect(JSON.parse(lines[1] ?? '{}')).toMatchObject({ msg: 'The start failed', err: { message: 'bug' } })
})

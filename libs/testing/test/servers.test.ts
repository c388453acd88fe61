import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  describeWithPrograms,
  freePort,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  type TestServer,
} from '@parlance/testing'

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const running = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a free port is not used by another caller, by a server, or by an outgoing connection', async () => {
  const first = await freePort()
  const server = createServer().listen(first + 1, '127.0.0.1')
  await once(server, 'listening')
  const others = await Promise.all([freePort(), freePort(), freePort()])
  server.close()
  await once(server, 'close')
  expect(new Set([first, first + 1, ...others]).size).toBe(5)
  for (const port of [first, ...others]) {
    expect(port).toBeGreaterThan(1023)
    expect(port).toBeLessThan(32_768)
  }
})

describe.each([
  ['nats', startNatsServer],
  ['redis', startRedisServer],
  ['postgres', startPostgresServer],
] as const)('%s', (name, start: () => Promise<TestServer>) => {
  describeWithPrograms([name], `a ${name} server`, () => {
    test('is a child on a port of its own, comes back on that port, and leaves nothing behind', async () => {
      const folders = () =>
        readdirSync(tmpdir()).filter((entry) => entry.startsWith(`parlance-${name}-${process.pid}-`))
      const server = await start()
      const firstPid = server.pid
      expect(folders()).toHaveLength(1)
      expect(await accepts(server.port)).toBe(true)

      await server.kill()
      expect(running(firstPid)).toBe(false)
      expect(await accepts(server.port)).toBe(false)

      await server.restart()
      expect(server.pid).not.toBe(firstPid)
      expect(await accepts(server.port)).toBe(true)

      await server.pause()
      await server.stop()
      expect(running(server.pid)).toBe(false)
      expect(folders()).toEqual([])
    })
  })
})

describeWithPrograms(['nats'], 'a test process that is killed', () => {
  test('takes its servers with it', async () => {
    const built = new URL('../dist/index.js', import.meta.url).href
    const owner = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { startNatsServer } from '${built}'
         console.log((await startNatsServer()).pid)
         setInterval(() => {}, 1000)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [pid] = (await once(owner.stdout, 'data')) as [Buffer]
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    while (running(Number(pid))) await delay(10)
    // No process remained that could remove its folder.
    for (const entry of readdirSync(tmpdir())) {
      if (entry.startsWith(`parlance-nats-${owner.pid}-`)) rmSync(join(tmpdir(), entry), { recursive: true })
    }
  })
})

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { iterate } from '@parlance/async/push-stream'
import { describeWithPrograms, freePort, startNatsServer } from '@parlance/testing'
import type { Bus, NatsRefusal } from '../../src/index.js'
import { connectNatsBus, createClient, serve } from '../../src/index.js'
import { kitchen, newInstanceId, signalled } from '../buses.js'
import { createConnectionWatch } from './connection-watch.js'

describeWithPrograms(['nats'], 'a NATS connection', () => {
  test('publishing is refused while the server is down; calls work again after it returns', async () => {
    const server = await startNatsServer()
    const watch = createConnectionWatch()
    let caller: Bus | undefined
    let callee: Bus | undefined
    try {
      caller = await connectNatsBus({ url: server.url, name: 'caller', onStateChange: watch.onStateChange })
      const calleeWatch = createConnectionWatch()
      callee = await connectNatsBus({ url: server.url, name: 'callee', onStateChange: calleeWatch.onStateChange })
      await serve(
        callee,
        kitchen,
        { cook: ({ dish }) => ({ served: dish }), async *courses() {} },
        { instanceId: newInstanceId() },
      )
      const { cook } = createClient(caller, kitchen)
      await cook({ dish: 'before' })

      const lost = watch.until(false)
      await server.kill()
      await lost
      expect(caller.connected()).toBe(false)
      await expect(cook({ dish: 'meanwhile' })).rejects.toMatchObject({ code: 'unavailable' })

      const back = Promise.all([watch.until(true), calleeWatch.until(true)])
      await server.restart()
      await back
      await callee.flush()
      expect(caller.connected()).toBe(true)
      await expect(cook({ dish: 'after' })).resolves.toEqual({ served: 'after' })
    } finally {
      await Promise.all([caller?.close(), callee?.close()])
      await server.stop()
    }
  })

  test('a call over a server that hangs with its sockets open fails with upstream_timeout and does not wait forever', async () => {
    const server = await startNatsServer()
    const bus = await connectNatsBus({ url: server.url, name: 'caller' })
    try {
      await server.pause()
      await expect(createClient(bus, kitchen).cook({ dish: 'x' }, { deadlineMs: 200 })).rejects.toMatchObject({
        code: 'upstream_timeout',
      })
    } finally {
      server.resume()
      await bus.close()
      await server.stop()
    }
  })

  test('a missing server is reported in one error without the password', async () => {
    const failure = await connectNatsBus({ url: 'nats://user:hunter2@127.0.0.1:1', name: 'x' }).catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('nats://127.0.0.1:1') })
    expect(failure.detail).not.toContain('hunter2')
  })

  test('a name and a password, or a token, come from the address; wrong ones are another error than an unreachable server', async () => {
    const server = await startNatsServer({ args: ['--user', 'ada', '--pass', 'p@ss'] })
    const guarded = await startNatsServer({ args: ['--auth', 't0ken'] })
    const at = (one: { port: number }, credentials: string) => `nats://${credentials}@127.0.0.1:${one.port}`
    try {
      const buses = await Promise.all([
        connectNatsBus({ url: at(server, 'ada:p%40ss'), name: 'by name' }),
        connectNatsBus({ url: at(guarded, 't0ken'), name: 'by token' }),
      ])
      await Promise.all(buses.map((bus) => bus.flush()))
      await Promise.all(buses.map((bus) => bus.close()))
      const failure = await connectNatsBus({ url: at(server, 'ada:wrong'), name: 'x' }).catch((error) => error)
      expect(failure).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('Authorization Violation') })
      expect(failure.detail).not.toContain('wrong')
    } finally {
      await Promise.all([server.stop(), guarded.stop()])
    }
  })

  test('an operation that the permissions deny is reported with its subject, and nothing else is lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nats-permissions-'))
    const file = join(folder, 'nats.conf')
    await writeFile(
      file,
      'authorization { users [{ user: u, password: p, permissions: { publish: "open.>", subscribe: { deny: "closed.>" } } }] }',
    )
    const server = await startNatsServer({ args: ['--config', file] })
    const refusals: NatsRefusal[] = []
    const bothRefused = signalled()
    const received = signalled()
    const bus = await connectNatsBus({
      url: `nats://u:p@127.0.0.1:${server.port}`,
      name: 'x',
      onRefused: (refusal) => {
        if (refusals.push(refusal) === 2) bothRefused.resolve()
      },
    })
    try {
      bus.subscribe('open.door', () => received.resolve())
      bus.publish('shut.door', Buffer.from('x'))
      bus.publish('open.door', Buffer.from('x'))
      await received.promise
      bus.subscribe('closed.window', () => undefined)
      await bothRefused.promise
      expect(refusals).toEqual([
        { reason: expect.stringContaining('shut.door'), denied: { operation: 'publish', subject: 'shut.door' } },
        {
          reason: expect.stringContaining('closed.window'),
          denied: { operation: 'subscription', subject: 'closed.window' },
        },
      ])
    } finally {
      await bus.close()
      await server.stop()
      await rm(folder, { recursive: true })
    }
  })

  describe('a process whose permissions do not allow', () => {
    const open = async (permissions: string) => {
      const folder = await mkdtemp(join(tmpdir(), 'nats-permissions-'))
      const file = join(folder, 'nats.conf')
      await writeFile(file, `authorization { users [{ user: u, password: p, permissions: { ${permissions} } }] }`)
      const server = await startNatsServer({ args: ['--config', file] })
      const refused: (string | undefined)[] = []
      const bus = await connectNatsBus({
        url: `nats://u:p@127.0.0.1:${server.port}`,
        name: 'x',
        onRefused: ({ denied }) => refused.push(denied?.subject),
      })
      const close = async () => {
        await bus.close()
        await server.stop()
        await rm(folder, { recursive: true })
      }
      return { bus, refused, close }
    }
    const denied = { code: 'internal_error', detail: expect.stringContaining('does not allow') }
    const deadlineMs = 60_000

    test('a call or a stream fails at once when it makes one, and the subject is reported', async () => {
      const { bus, refused, close } = await open('publish: "parlance.kitchen.bell"')
      try {
        const { cook, courses } = createClient(bus, kitchen)
        await expect(cook({ dish: 'x' }, { deadlineMs })).rejects.toMatchObject(denied)
        await expect(iterate(courses({ count: 1 }, { deadlineMs })).next()).rejects.toMatchObject(denied)
        expect(refused).toEqual(['parlance.kitchen.cook', 'parlance.kitchen.courses'])
      } finally {
        await close()
      }
    })

    test('its inbox fails each call at once', async () => {
      const { bus, refused, close } = await open('subscribe: { deny: "_INBOX.>" }')
      try {
        const { cook } = createClient(bus, kitchen)
        for (let call = 0; call < 2; call += 1) {
          await expect(cook({ dish: 'x' }, { deadlineMs })).rejects.toMatchObject(denied)
        }
        expect(refused.every((subject) => subject?.startsWith('_INBOX.'))).toBe(true)
      } finally {
        await close()
      }
    })
  })

  test('when a server of a cluster is lost, the connection moves to another one, with every subscription', async () => {
    const [firstRoute, secondRoute] = [await freePort(), await freePort()]
    const cluster = (own: number, other: number) => [
      ...['--cluster_name', 'c', '--cluster', `nats://127.0.0.1:${own}`, '--routes', `nats://127.0.0.1:${other}`],
    ]
    const first = await startNatsServer({ args: cluster(firstRoute, secondRoute) })
    const second = await startNatsServer({ args: cluster(secondRoute, firstRoute) })
    const watch = createConnectionWatch()
    const received = signalled()
    const other = await connectNatsBus({ url: second.url, name: 'other' })
    let bus: Bus | undefined
    try {
      // The servers announce each other once they are connected.
      bus = await untilReached(other, () =>
        connectNatsBus({ url: first.url, name: 'x', onStateChange: watch.onStateChange }),
      )
      bus.subscribe('from.other', () => received.resolve())
      await bus.flush()
      const back = watch.until(true)
      await first.kill()
      await back
      await bus.flush()
      other.publish('from.other', Buffer.from('x'))
      await received.promise
    } finally {
      await Promise.all([bus?.close(), other.close()])
      await Promise.all([first.stop(), second.stop()])
    }
  })

  test('a server that requires TLS gets it, and one with an untrusted certificate is refused', async () => {
    const [certificate, key] = ['tls-certificate.pem', 'tls-key.pem'].map((name) =>
      fileURLToPath(new URL(`${name}`, import.meta.url)),
    ) as [string, string]
    const server = await startNatsServer({ args: ['--tls', '--tlscert', certificate, '--tlskey', key] })
    try {
      const urls = [`nats://localhost:${server.port}`, `tls://localhost:${server.port}`]
      for (const url of urls) {
        const failure = await connectNatsBus({ url, name: 'x' }).catch((error) => error)
        expect(failure).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('certificate') })
      }
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '--eval', talkOverTls, ...urls],
        {
          cwd: fileURLToPath(new URL('../..', import.meta.url)),
          env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
        },
      )
      expect(stdout).toBe(`${'x'.repeat(300_000).length}\n`.repeat(2))
    } finally {
      await server.stop()
    }
  })

  test('another program at the address is reported at once', async () => {
    const stranger = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as { port: number }
    try {
      await expect(connectNatsBus({ url: `nats://127.0.0.1:${port}`, name: 'x' })).rejects.toMatchObject({
        detail: expect.stringContaining('is not NATS'),
      })
    } finally {
      stranger.close()
    }
  })

  test('a server whose maximum message size is too small is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nats-payload-'))
    const file = join(folder, 'nats.conf')
    await writeFile(file, 'max_payload: 65536')
    const server = await startNatsServer({ args: ['--config', file] })
    try {
      await expect(connectNatsBus({ url: server.url, name: 'x' })).rejects.toMatchObject({
        detail: expect.stringContaining('max_payload'),
      })
    } finally {
      await server.stop()
      await rm(folder, { recursive: true })
    }
  })

  test('one server that answers is enough', async () => {
    const server = await startNatsServer()
    const unused = `nats://127.0.0.1:${await freePort()}`
    try {
      for (const url of [`${unused},${server.url}`, `${server.url},${unused}`]) {
        await (await connectNatsBus({ url, name: 'x' })).close()
      }
    } finally {
      await server.stop()
    }
  })
})

/** Sends itself a large message over each address, and prints how much of it came. */
const talkOverTls = `
  import { connectNatsBus } from './dist/index.js'
  for (const url of process.argv.slice(1)) {
    const bus = await connectNatsBus({ url, name: 'secret' })
    const received = new Promise((resolve) => bus.subscribe('echo', ({ data }) => resolve(data.length)))
    bus.publish('echo', Buffer.alloc(300_000))
    console.log(await received)
    await bus.close()
  }
`

/** Connects to one server of a cluster, until a message published there arrives at the other one. */
const untilReached = async (other: Bus, connect: () => Promise<Bus>): Promise<Bus> => {
  const bus = await connect()
  const reached = signalled()
  other.subscribe('met', () => reached.resolve())
  const call = setInterval(() => bus.publish('met', Buffer.alloc(0)), 20)
  await reached.promise
  clearInterval(call)
  return bus
}

import { describeWithPrograms, startNatsServer } from '@parlance/testing'
import type { Bus } from '../src/index.js'
import { connectNatsBus, createClient, serve } from '../src/index.js'
import { kitchen, newInstanceId } from './buses.js'

describeWithPrograms(['nats'], 'a NATS connection', () => {
  /** Resolves at the next change of the connection to `wanted`. */
  const createWatch = () => {
    const waiting: { wanted: boolean; resolve: () => void }[] = []
    return {
      onStateChange: (connected: boolean) => {
        for (const { wanted, resolve } of waiting) if (wanted === connected) resolve()
      },
      until: (wanted: boolean) => new Promise<void>((resolve) => waiting.push({ wanted, resolve })),
    }
  }

  test('while the server is gone publishing is refused; when it is back, calls work again', async () => {
    const server = await startNatsServer()
    const watch = createWatch()
    let caller: Bus | undefined
    let callee: Bus | undefined
    try {
      caller = await connectNatsBus({ url: server.url, name: 'caller', onStateChange: watch.onStateChange })
      const calleeWatch = createWatch()
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

  test('a server that hangs with its sockets open is an upstream_timeout, not a wait without end', async () => {
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

  test('no server at the address is one clear error without the password', async () => {
    const failure = await connectNatsBus({ url: 'nats://user:hunter2@127.0.0.1:1', name: 'x' }).catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('nats://127.0.0.1:1') })
    expect(failure.detail).not.toContain('hunter2')
  })
})

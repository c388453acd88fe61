import { connectRedisTtlStore, createMemoryTtlStore, type StoreScript, type TtlStore } from '@parlance/store'
import { describeWithPrograms, freePort, startRedisServer, type TestServer } from '@parlance/testing'
import { createClient } from 'redis'

/** Resolves when `check` returns true. The time limit of the test ends a wait that never succeeds. */
const until = async (check: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Counts up to a limit, and returns one of each kind of reply. */
const countUpTo: StoreScript<[number | null, string, null]> = {
  name: 'count-up-to',
  lua: `
    local count = tonumber(redis.call('GET', KEYS[1]) or '0')
    if count >= tonumber(ARGV[1]) then return {false, ARGV[2], false} end
    redis.call('SET', KEYS[1], count + 1, 'PX', 10000)
    return {count + 1, ARGV[2], false}`,
  inMemory(entries, [key = ''], [limit, text = '']) {
    const count = Number(entries.get(key) ?? 0)
    if (count >= Number(limit)) return [null, text, null]
    entries.set(key, `${count + 1}`, 10_000)
    return [count + 1, text, null]
  },
}

const keepsTheContract = (open: () => Promise<TtlStore>): void => {
  let store: TtlStore
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  test('a key that was never written reads as null', async () => {
    expect(await store.get('nothing')).toBeNull()
  })

  test('a value is read as it was written, for any text including the empty one', async () => {
    for (const value of ['', '{"a":1}', 'zwölf 🎧 \u0000\r\n', 'x'.repeat(100_000)]) {
      await store.set('text', value, 10_000)
      expect(await store.get('text')).toBe(value)
    }
  })

  test('set replaces the value and its lifetime', async () => {
    await store.set('over', 'old', 20)
    await store.set('over', 'new', 10_000)
    await store.set('passing', 'soon gone', 30)
    await until(async () => (await store.get('passing')) === null)
    expect(await store.get('over')).toBe('new')
  })

  test('an expired value does not exist for any reader, and its key is free again', async () => {
    await store.set('brief', 'value', 20)
    await until(async () => (await store.get('brief')) === null)
    expect(await store.setIfAbsent('brief', 'next', 10_000)).toBe(true)
    expect(await store.get('brief')).toBe('next')
  })

  test('setIfAbsent does not change an existing value', async () => {
    expect(await store.setIfAbsent('once', 'first', 10_000)).toBe(true)
    expect(await store.setIfAbsent('once', 'second', 10_000)).toBe(false)
    expect(await store.get('once')).toBe('first')
  })

  test('of 50 writers of an absent key one writes', async () => {
    const wrote = await Promise.all(Array.from({ length: 50 }, (_, n) => store.setIfAbsent('race', `${n}`, 10_000)))
    expect(wrote.filter(Boolean)).toHaveLength(1)
    expect(await store.get('race')).toBe(`${wrote.indexOf(true)}`)
  })

  test('delete removes a value, and does nothing when there is no value', async () => {
    await store.set('doomed', 'value', 10_000)
    await store.delete('doomed')
    await store.delete('doomed')
    expect(await store.get('doomed')).toBeNull()
  })

  test('no other command runs between the steps of a script', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => store.run(countUpTo, ['counted'], ['7', 'ü'])))
    expect(replies.filter(([count]) => count !== null).map(([count]) => count)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(replies.at(-1)).toEqual([null, 'ü', null])
    expect(await store.get('counted')).toBe('7')
  })

  test('has an epoch', () => {
    expect(store.epoch()).toMatch(/^[0-9a-f:-]{32,}$/)
  })

  test('reports that it is connected', () => {
    expect(store.connected()).toBe(true)
  })
}

describe('the memory TTL store', () => keepsTheContract(async () => createMemoryTtlStore()))

describeWithPrograms(['redis'], 'the Redis TTL store', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server.stop())

  keepsTheContract(() => connectRedisTtlStore({ url: server.url }))

  test('without a server every command fails at once as unavailable, and works again after its return', async () => {
    const states: [connected: boolean, reason?: unknown][] = []
    const store = await connectRedisTtlStore({ url: server.url, onStateChange: (...state) => states.push(state) })
    await server.kill()
    await until(() => !store.connected())
    for (const command of [
      () => store.get('a'),
      () => store.set('a', 'b', 1_000),
      () => store.setIfAbsent('a', 'b', 1_000),
      () => store.delete('a'),
    ]) {
      await expect(command()).rejects.toMatchObject({ name: 'ServiceError', code: 'unavailable' })
    }
    await server.restart()
    await until(() => store.connected())
    await store.set('back', 'again', 10_000)
    expect(await store.get('back')).toBe('again')
    expect(states).toEqual([[false, expect.any(Error)], [true]])
    await store.close()
  })

  test('a server that was restarted has another epoch, and gets its scripts again', async () => {
    const store = await connectRedisTtlStore({ url: server.url })
    const before = store.epoch()
    await store.run(countUpTo, ['counted anew'], ['1', ''])
    await server.kill()
    await server.restart()
    await until(() => store.connected())
    expect(store.epoch()).not.toBe(before)
    expect(await store.run(countUpTo, ['counted anew'], ['1', ''])).toEqual([1, '', null])
    await store.close()
  })

  test('a server that has become a replica is not used, and has another epoch when it is a master again', async () => {
    const other = await startRedisServer()
    const direct = createClient({ url: server.url })
    await direct.connect()
    const store = await connectRedisTtlStore({ url: server.url })
    const before = store.epoch()
    await direct.sendCommand(['REPLICAOF', '127.0.0.1', new URL(other.url).port])
    await expect(store.set('a', 'b', 1_000)).rejects.toMatchObject({ code: 'unavailable' })
    await direct.sendCommand(['REPLICAOF', 'NO', 'ONE'])
    await until(() => store.connected())
    await until(() =>
      store.set('a', 'b', 1_000).then(
        () => true,
        () => false,
      ),
    )
    expect(store.epoch()).not.toBe(before)
    await Promise.all([store.close(), direct.close()])
    await other.stop()
  })

  test('a server that was a replica while no command wrote has another epoch within seconds', async () => {
    const other = await startRedisServer({ args: ['--repl-diskless-sync-delay', '0'] })
    const direct = createClient({ url: server.url })
    await direct.connect()
    const store = await connectRedisTtlStore({ url: server.url })
    const before = store.epoch()
    await direct.sendCommand(['REPLICAOF', '127.0.0.1', new URL(other.url).port])
    await until(async () => `${await direct.sendCommand(['INFO', 'replication'])}`.includes('master_link_status:up'))
    await direct.sendCommand(['REPLICAOF', 'NO', 'ONE'])
    await until(() => store.epoch() !== before)
    await Promise.all([store.close(), direct.close()])
    await other.stop()
  })

  test('all stores of a server have the same epoch within seconds, also when it gets its first replica', async () => {
    const other = await startRedisServer()
    const master = await startRedisServer({ args: ['--repl-diskless-sync-delay', '0'] })
    const direct = createClient({ url: other.url })
    await direct.connect()
    const early = await connectRedisTtlStore({ url: master.url })
    await direct.sendCommand(['REPLICAOF', '127.0.0.1', `${master.port}`])
    await until(async () => `${await direct.sendCommand(['INFO', 'replication'])}`.includes('master_link_status:up'))
    const late = await connectRedisTtlStore({ url: master.url })
    await until(() => early.epoch() === late.epoch())
    await Promise.all([early.close(), late.close(), direct.close()])
    await Promise.all([other.stop(), master.stop()])
  })

  test('a server that stops answering is unavailable within three seconds, and is used again when it answers', async () => {
    const store = await connectRedisTtlStore({ url: server.url })
    await server.pause()
    await expect(store.get('a')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(store.get('a')).rejects.toMatchObject({ code: 'unavailable' })
    server.resume()
    await until(() => store.connected())
    expect(await store.get('a')).toBeNull()
    await store.close()
  })

  test('a store that is closed while it reconnects leaves no connection behind', async () => {
    const own = await startRedisServer()
    const direct = createClient({ url: own.url })
    await direct.connect()
    const connections = async () => `${await direct.sendCommand(['CLIENT', 'LIST'])}`.trim().split('\n').length
    const closeSoon = (connected: boolean) => {
      if (!connected) queueMicrotask(() => store.close())
    }
    const store = await connectRedisTtlStore({ url: own.url, onStateChange: closeSoon })
    await own.pause()
    await expect(store.get('a')).rejects.toMatchObject({ code: 'unavailable' })
    own.resume()
    await until(async () => (await connections()) === 1)
    // A new attempt to connect would follow within this time.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await connections()).toBe(1)
    expect(store.connected()).toBe(false)
    await direct.close()
    await own.stop()
  })

  test('a reply that arrived while this process was stalled is not treated as missing', async () => {
    const store = await connectRedisTtlStore({ url: server.url })
    const asked = store.get('a')
    // The command is sent, then the event loop is blocked for longer than the time limit of a reply.
    await new Promise(process.nextTick)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_200)
    expect(await asked).toBeNull()
    await store.close()
  })

  test('commands in flight when the server is killed fail with unavailable', async () => {
    const store = await connectRedisTtlStore({ url: server.url })
    await server.pause()
    const commands = Array.from({ length: 100 }, () => store.get('a'))
    const outcomes = Promise.allSettled(commands)
    await server.kill()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: 'unavailable' } })
    await server.restart()
    await store.close()
  })

  test('a command that Redis refuses does not close the connection', async () => {
    const store = await connectRedisTtlStore({ url: server.url })
    await expect(store.set('a', 'b', -1)).rejects.toMatchObject({ code: 'unavailable' })
    expect(store.connected()).toBe(true)
    await store.close()
  })
})

test('an address without Redis is reported in one line without the password', async () => {
  const url = `redis://:secret@127.0.0.1:${await freePort()}`
  const error = await connectRedisTtlStore({ url }).catch((reason: Error) => reason)
  expect(error).toMatchObject({
    message: expect.stringMatching(/^Redis at redis:\/\/127\.0\.0\.1:\d+ cannot be reached/),
  })
  expect((error as Error).message).not.toMatch(/secret|\n/)
})

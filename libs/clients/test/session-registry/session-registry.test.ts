import { randomUUID } from 'node:crypto'
import { createSessionRegistry, type SessionPlace, startHeartbeat } from '@parlance/clients/session-registry'
import { ServiceError } from '@parlance/contracts'
import { createMemoryTtlStore } from '@parlance/store'
import { vi } from 'vitest'

const place: SessionPlace = {
  instance_id: 'one',
  workspace_id: randomUUID(),
  agent_id: randomUUID(),
  key_id: randomUUID(),
  token_sha256: 'a'.repeat(64),
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a conversation is live until it has ended or its instance has', async () => {
  const registry = createSessionRegistry(createMemoryTtlStore())
  const id = randomUUID()
  expect(await registry.locate(id)).toBeUndefined()
  await registry.put(id, place, 60_000)
  expect(await registry.locate(id)).toEqual({ ...place, live: false })
  await registry.beat('one')
  expect(await registry.locate(id)).toEqual({ ...place, live: true })
  await registry.end(id, place)
  expect(await registry.locate(id)).toEqual({ ...place, live: false })
  await registry.remove(id)
  expect(await registry.locate(id)).toBeUndefined()
})

test('an instance is live for ten seconds after its last heartbeat, and not after it has left', async () => {
  const registry = createSessionRegistry(createMemoryTtlStore())
  await registry.beat('one')
  await vi.advanceTimersByTimeAsync(9_900)
  expect(await registry.lives('one')).toBe(true)
  await vi.advanceTimersByTimeAsync(200)
  expect(await registry.lives('one')).toBe(false)
})

test('heartbeats continue until they are stopped, which removes the instance', async () => {
  const ttl = createMemoryTtlStore()
  const registry = createSessionRegistry(ttl)
  const heartbeat = await startHeartbeat({ registry, instanceId: 'one', ttl, onFailure: () => {} })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await registry.lives('one')).toBe(true)
  await heartbeat.stop()
  expect(await registry.lives('one')).toBe(false)
})

test('the store is trusted once all live instances have had time to send a heartbeat', async () => {
  const ttl = createMemoryTtlStore()
  let epoch = 'first'
  let failing = false
  const failures: unknown[] = []
  const registry = {
    async beat() {
      if (failing) throw new ServiceError('unavailable', 'No store.')
    },
    async leave() {},
  }
  const heartbeat = await startHeartbeat({
    registry,
    instanceId: 'one',
    onFailure: (error: unknown) => void failures.push(error),
    ttl: { ...ttl, epoch: () => epoch },
  })
  expect(heartbeat.trusted()).toBe(false)
  await vi.advanceTimersByTimeAsync(7_100)
  expect(heartbeat.trusted()).toBe(true)
  // Another store, which contains no heartbeats at first.
  epoch = 'second'
  expect(heartbeat.trusted()).toBe(false)
  await vi.advanceTimersByTimeAsync(3_100)
  expect(heartbeat.trusted()).toBe(false)
  await vi.advanceTimersByTimeAsync(7_000)
  expect(heartbeat.trusted()).toBe(true)
  failing = true
  await vi.advanceTimersByTimeAsync(3_000)
  expect(heartbeat.trusted()).toBe(false)
  expect(failures).toHaveLength(1)
  await heartbeat.stop()
})

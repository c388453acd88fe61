import { EventEmitter } from 'node:events'
import { vi } from 'vitest'
import type { WebSocket } from 'ws'
import { watchClientLiveness } from '../src/websocket/client-liveness.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const watch = () => {
  const socket = Object.assign(new EventEmitter(), { ping: vi.fn() })
  const onLost = vi.fn()
  watchClientLiveness(socket as unknown as WebSocket, onLost)
  return { socket, onLost }
}

test('a client is lost at the latest 15 s after its last pong, and once', async () => {
  const { socket, onLost } = watch()
  await vi.advanceTimersByTimeAsync(7_000)
  socket.emit('pong')
  await vi.advanceTimersByTimeAsync(9_900)
  expect(onLost).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5_100)
  expect(onLost).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onLost).toHaveBeenCalledTimes(1)
})

test('a client that answers every ping is not lost', async () => {
  const { socket, onLost } = watch()
  socket.ping.mockImplementation(() => void setTimeout(() => socket.emit('pong'), 4_000))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(onLost).not.toHaveBeenCalled()
  expect(socket.ping).toHaveBeenCalledTimes(120)
})

test('a client whose socket is closed is not lost', async () => {
  const { socket, onLost } = watch()
  await vi.advanceTimersByTimeAsync(6_000)
  socket.emit('close')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onLost).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import type { WebSocket } from 'ws'
import { watchClientLiveness } from '../src/websocket/client-liveness.js'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const watch = () => {
  const socket = Object.assign(new EventEmitter(), { ping: jest.fn() })
  const onLost = jest.fn()
  watchClientLiveness(socket as unknown as WebSocket, onLost)
  return { socket, onLost }
}

test('a client is lost at the latest 15 s after its last pong, and once', async () => {
  const { socket, onLost } = watch()
  await jest.advanceTimersByTimeAsync(7_000)
  socket.emit('pong')
  await jest.advanceTimersByTimeAsync(9_900)
  expect(onLost).not.toHaveBeenCalled()
  await jest.advanceTimersByTimeAsync(5_100)
  expect(onLost).toHaveBeenCalledTimes(1)
  await jest.advanceTimersByTimeAsync(60_000)
  expect(onLost).toHaveBeenCalledTimes(1)
})

test('a client that answers every ping is not lost', async () => {
  const { socket, onLost } = watch()
  socket.ping.mockImplementation(() => void setTimeout(() => socket.emit('pong'), 4_000))
  await jest.advanceTimersByTimeAsync(600_000)
  expect(onLost).not.toHaveBeenCalled()
  expect(socket.ping).toHaveBeenCalledTimes(120)
})

test('a client whose socket is closed is not lost', async () => {
  const { socket, onLost } = watch()
  await jest.advanceTimersByTimeAsync(6_000)
  socket.emit('close')
  await jest.advanceTimersByTimeAsync(60_000)
  expect(onLost).not.toHaveBeenCalled()
  expect(jest.getTimerCount()).toBe(0)
})

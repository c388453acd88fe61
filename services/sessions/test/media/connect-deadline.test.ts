import { vi } from 'vitest'
import { withConnectDeadline } from '../../src/media/connect-deadline.js'
import type { LossReason, Transport, TransportListener } from '../../src/media/transport.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const open = (kind: Transport['kind']) => {
  let listener: TransportListener | undefined
  let closed = 0
  const transport: Transport = {
    kind,
    listen(given) {
      listener = given
    },
    send() {},
    playFrame() {},
    async close() {
      closed += 1
    },
  }
  const seen = { opened: 0, lost: [] as LossReason[], neverConnected: 0 }
  const limited = withConnectDeadline(transport, () => {
    seen.neverConnected += 1
  })
  limited.listen({
    onOpen() {
      seen.opened += 1
    },
    onAudio() {},
    onEvent() {},
    onLost: (reason) => void seen.lost.push(reason),
  })
  return { seen, limited, peer: listener!, closed: () => closed }
}

test.each([
  ['webrtc', 'ice_failed'],
  ['websocket', 'connection_lost'],
] as const)('a peer over %s that has not connected is lost within 8 s, once', async (kind, reason) => {
  const { seen, peer } = open(kind)
  await vi.advanceTimersByTimeAsync(7_000)
  expect(seen.lost).toEqual([])
  await vi.advanceTimersByTimeAsync(999)
  expect(seen).toEqual({ opened: 0, lost: [reason], neverConnected: 1 })
  peer.onOpen()
  peer.onLost('connection_lost')
  expect(seen).toEqual({ opened: 0, lost: [reason], neverConnected: 1 })
})

test('a peer that has connected may stay, and its later loss does not count as a failed connection', async () => {
  const { seen, peer } = open('webrtc')
  peer.onOpen()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(seen.lost).toEqual([])
  peer.onLost('connection_lost')
  expect(seen).toEqual({ opened: 1, lost: ['connection_lost'], neverConnected: 0 })
})

test('a peer that is lost while it connects has never connected', () => {
  const { seen, peer } = open('webrtc')
  peer.onLost('ice_failed')
  expect(seen).toEqual({ opened: 0, lost: ['ice_failed'], neverConnected: 1 })
})

test('a conversation that is ended while it connects is not counted as one that never connected', async () => {
  const { seen, limited, closed } = open('websocket')
  await limited.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(seen).toEqual({ opened: 0, lost: [], neverConnected: 0 })
  expect(closed()).toBe(1)
})

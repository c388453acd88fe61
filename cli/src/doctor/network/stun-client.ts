import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { withTimeout } from '@parlance/async'
import { type Address, encodeBindingRequest, mappedAddressIn } from './stun-message.js'

/** The result of several requests. */
export interface StunProbe {
  readonly sent: number
  readonly answered: number
  /** The shortest time of all responses. */
  readonly roundTripMs: number | undefined
  /** This machine's address as the server received it. */
  readonly mapped: Address | undefined
}

const sendEveryMs = 100
const waitForLastMs = 1_500

/**
 * Sends Binding requests to a STUN server over UDP, by default ten, and waits until all are answered, or the
 * last one has timed out. Rejects when the name does not resolve.
 */
export const probeStun = async (
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
  count = 10,
): Promise<StunProbe> => {
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const pending = new Map<Buffer, number>()
  let sent = 0
  let mapped: Address | undefined
  let roundTripMs: number | undefined
  // A closed port may be reported as an error of the next datagram. The missing response shows the same.
  socket.on('error', () => {})
  const allAnswered = new Promise<void>((resolve) => {
    socket.on('message', (message) => {
      for (const [request, sentMs] of pending) {
        const found = mappedAddressIn(message, request)
        if (found === undefined) continue
        pending.delete(request)
        mapped = found
        const tookMs = performance.now() - sentMs
        roundTripMs = Math.min(roundTripMs ?? tookMs, tookMs)
        if (sent === count && pending.size === 0) resolve()
      }
    })
  })
  try {
    while (sent < count) {
      const request = encodeBindingRequest()
      pending.set(request, performance.now())
      sent += 1
      socket.send(request, port, address, () => {})
      if (sent < count) await delay(sendEveryMs, undefined, { signal })
    }
    await withTimeout(allAnswered, waitForLastMs, () => undefined)
  } finally {
    socket.close()
  }
  return { sent, answered: sent - pending.size, roundTripMs, mapped }
}

import type { SessionClientEvent } from '@parlance/contracts'
import { createFrameClock } from '../../src/media/playback/frame-clock.js'
import type { LossReason } from '../../src/media/transport.js'
import { openWebRtcPort, type WebRtcPort, type WebRtcPortOptions } from '../../src/media/webrtc/webrtc-port.js'
import { createTestPeer, type TestPeer } from './test-peer.js'

export const frameClock = createFrameClock()
const ports: WebRtcPort[] = []
const peers: TestPeer[] = []

export const openPort = async (options: Partial<WebRtcPortOptions> = {}) => {
  const port = await openWebRtcPort({ bindAddress: '127.0.0.1', port: 0, frameClock, ...options })
  ports.push(port)
  return port
}

interface ConnectOptions {
  readonly audio?: boolean
  readonly label?: string
  /** Whether the peer takes the answer at all. */
  readonly answers?: boolean
  /** The port by which the peer connects. */
  readonly relayPort?: number
}

/** A peer and its transport, with all that came of it. */
export const connect = async (port: WebRtcPort, options: ConnectOptions = {}) => {
  const peer = createTestPeer(options)
  peers.push(peer)
  const { transport, answer } = port.accept({
    offer: peer.offer,
    needsAudio: options.audio ?? true,
    requestId: 'req-1',
  })
  const events: SessionClientEvent[] = []
  const received: Int16Array[] = []
  const waiting = new Set<{ when: () => boolean; resolve: () => void }>()
  const look = () => {
    for (const waiter of waiting) {
      if (!waiter.when()) continue
      waiting.delete(waiter)
      waiter.resolve()
    }
  }
  let opened = false
  let lostFor: LossReason | undefined
  transport.listen({
    onOpen: () => {
      opened = true
      look()
    },
    onAudio: (frame) => {
      received.push(frame)
      look()
    },
    onEvent: (event) => {
      events.push(event)
      look()
    },
    onLost: (reason) => {
      lostFor = reason
      look()
    },
  })
  const until = (when: () => boolean): Promise<void> =>
    when() ? Promise.resolve() : new Promise((resolve) => waiting.add({ when, resolve }))
  const route =
    options.relayPort === undefined
      ? answer
      : answer.replaceAll(`127.0.0.1 ${port.port} `, `127.0.0.1 ${options.relayPort} `)
  if (options.answers ?? true) peer.answer(route)
  return {
    peer,
    transport,
    answer,
    events,
    received,
    until,
    opened: () => until(() => opened),
    lost: async () => {
      await until(() => lostFor !== undefined)
      return lostFor
    },
  }
}

/** Ends all that was opened here. */
export const endAll = async (): Promise<void> => {
  for (const peer of peers.splice(0)) peer.close()
  await Promise.all(ports.splice(0).map((port) => port.close()))
}

/** Plays that many times 20 ms. */
export const every20Ms = async (count: number, play: (index: number) => void): Promise<void> => {
  await new Promise<void>((resolve) => {
    let index = 0
    const stop = frameClock.onTick(() => {
      play(index++)
      if (index < count) return
      stop()
      resolve()
    })
  })
}

import type { SessionClientEvent } from '@parlance/contracts'
import { createFrameClock } from '../../src/playout/frame-clock.js'
import type { LossReason } from '../../src/transport/transport.js'
import { openWebRtcPort, type WebRtcPort, type WebRtcPortOptions } from '../../src/transport/webrtc/webrtc-port.js'
import { createTestPeer, type TestPeer } from './test-peer.js'
import { concat, frequencyHz, purity, rms, tone } from './tone.js'

const frameClock = createFrameClock()
const ports: WebRtcPort[] = []
const peers: TestPeer[] = []

const openPort = async (options: Partial<WebRtcPortOptions> = {}) => {
  const port = await openWebRtcPort({ bindAddress: '127.0.0.1', port: 0, frameClock, ...options })
  ports.push(port)
  return port
}

const connect = async (port: WebRtcPort, peerOptions: Parameters<typeof createTestPeer>[0] = {}) => {
  const peer = createTestPeer(peerOptions)
  peers.push(peer)
  const { transport, answer } = port.accept({
    offer: peer.offer,
    needsAudio: peerOptions.audio ?? true,
    requestId: 'req-1',
  })
  const events: SessionClientEvent[] = []
  const heard: Int16Array[] = []
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
      heard.push(frame)
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
  peer.answer(answer)
  return {
    peer,
    transport,
    answer,
    events,
    heard,
    until,
    opened: () => until(() => opened),
    lost: async () => {
      await until(() => lostFor !== undefined)
      return lostFor
    },
  }
}

afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close()
  await Promise.all(ports.splice(0).map((port) => port.close()))
})

const every20Ms = async (count: number, play: (index: number) => void): Promise<void> => {
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

describe('webrtc transport', () => {
  test('a tone is heard on both sides as it was sent, beside each other', async () => {
    const port = await openPort()
    const { peer, transport, heard, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    await every20Ms(60, (index) => {
      transport.playFrame(tone({ hz: 440, rateHz: 24000, samples: 480, from: index * 480 }))
      peer.speak(tone({ hz: 700, rateHz: 48000, samples: 960, from: index * 960 }))
    })
    const atPeer = concat(peer.heard().pcm.slice(-40, -5))
    expect(frequencyHz(atPeer, 48000)).toBeCloseTo(440, 0)
    expect(purity(atPeer, 440, 48000)).toBeGreaterThan(0.95)
    expect(rms(atPeer)).toBeGreaterThan(4000)
    const atUs = concat(heard.slice(20, 50))
    expect(frequencyHz(atUs, 16000)).toBeCloseTo(700, 0)
    expect(purity(atUs, 700, 16000)).toBeGreaterThan(0.95)
    expect(rms(atUs)).toBeGreaterThan(4000)
  })

  test('events go both ways', async () => {
    const port = await openPort()
    const { peer, transport, events, until, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    peer.send(JSON.stringify({ event: 'client.ready' }))
    await until(() => events.length === 1)
    expect(events).toEqual([{ event: 'client.ready' }])
    transport.send({ event: 'pong' })
    expect(await peer.event('pong')).toEqual({ event: 'pong' })
  })

  test('a peer that hangs up is gone at once, as one that wanted to', async () => {
    const port = await openPort()
    const { peer, lost, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    peer.close()
    expect(await lost()).toBe('user_disconnected')
    expect(port.peers()).toBe(0)
  })
})

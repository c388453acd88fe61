import type { SessionClientEvent } from '@parlance/contracts'
import { createFrameClock } from '../../src/playout/frame-clock.js'
import type { LossReason } from '../../src/transport/transport.js'
import { openWebRtcPort, type WebRtcPort, type WebRtcPortOptions } from '../../src/transport/webrtc/webrtc-port.js'
import { createTestPeer, type TestPeer } from './test-peer.js'
import { concat, frequencyHz, purity, rms, tone } from './tone.js'
import { openUdpRelay, type UdpRelay } from './udp-relay.js'

const frameClock = createFrameClock()
const ports: WebRtcPort[] = []
const peers: TestPeer[] = []

const relays: UdpRelay[] = []

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const openPort = async (options: Partial<WebRtcPortOptions> = {}) => {
  const port = await openWebRtcPort({ bindAddress: '127.0.0.1', port: 0, frameClock, ...options })
  ports.push(port)
  return port
}

interface ConnectOptions {
  readonly audio?: boolean
  readonly label?: string
  /** Whether the peer takes the answer at all. */
  readonly answers?: boolean
  /** The peer is told to come by there. */
  readonly relayPort?: number
}

const connect = async (port: WebRtcPort, options: ConnectOptions = {}) => {
  const peer = createTestPeer(options)
  peers.push(peer)
  const { transport, answer } = port.accept({
    offer: peer.offer,
    needsAudio: options.audio ?? true,
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
  for (const relay of relays.splice(0)) relay.close()
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

  test('what is sent last comes through before we hang up, and nothing is left', async () => {
    const port = await openPort()
    const { peer, transport, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    for (let each = 0; each < 50; each++) {
      const id = '00000000-0000-4000-8000-000000000000'
      transport.send({ event: 'transcript', id, role: 'agent', text: 'x'.repeat(2000), final: false })
    }
    transport.send({ event: 'session.ended', end_reason: 'agent_ended' })
    const closed = transport.close()
    expect(await peer.event('session.ended')).toEqual({ event: 'session.ended', end_reason: 'agent_ended' })
    await peer.channelClosed
    await closed
    await peer.closed
    expect(port.peers()).toBe(0)
  })

  test('a peer that hangs up while we do ends our waiting', async () => {
    const port = await openPort()
    const { peer, transport, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    let ticks = 0
    const stop = frameClock.onTick(() => ticks++)
    const closed = transport.close()
    await peer.channelClosed
    peer.close()
    await closed
    stop()
    expect(ticks).toBeLessThan(24)
  })

  test('messages that are wrong are told of, and the next ones are read', async () => {
    const port = await openPort()
    const { peer, events, until, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    const answers: unknown[] = []
    for (const message of ['nope', '{}', Uint8Array.of(1, 2, 3), `"${'x'.repeat(70_000)}"`]) {
      peer.send(message)
      answers.push(await peer.event('error'))
    }
    expect(answers).toMatchObject(
      ['invalid_json', 'invalid_request', 'invalid_request', 'payload_too_large'].map((code) => ({
        code,
        request_id: 'req-1',
      })),
    )
    peer.send(JSON.stringify({ event: 'ping' }))
    await until(() => events.length === 1)
  })

  test('a peer that only writes needs no audio line', async () => {
    const port = await openPort()
    const { peer, transport, events, heard, until, opened } = await connect(port, { audio: false })
    await Promise.all([opened(), peer.open])
    expect(transport.hasAudio).toBe(false)
    transport.playFrame(tone({ hz: 440, rateHz: 24000, samples: 480 }))
    peer.send(JSON.stringify({ event: 'client.ready' }))
    await until(() => events.length === 1)
    expect(heard).toEqual([])
  })

  test('a peer that never gets through is lost, and nothing is left', async () => {
    const port = await openPort({ connectTimeoutMs: 200 })
    const { lost, peer } = await connect(port, { answers: false })
    expect(await lost()).toBe('ice_failed')
    expect(port.peers()).toBe(0)
    expect(peer.connection.state()).not.toBe('connected')
  })

  test('a data channel of another name is none', async () => {
    const port = await openPort({ connectTimeoutMs: 500 })
    const { lost, peer } = await connect(port, { label: 'chat' })
    await peer.channelClosed
    expect(await lost()).toBe('ice_failed')
  })

  test('a peer of which nothing is heard is lost; one that sends ping is not', async () => {
    const port = await openPort({ livenessTimeoutMs: 400 })
    const [silent, alive] = await Promise.all([connect(port, { audio: false }), connect(port, { audio: false })])
    await Promise.all([silent.opened(), alive.opened(), alive.peer.open])
    const stop = frameClock.onTick(() => alive.peer.send(JSON.stringify({ event: 'ping' })))
    expect(await silent.lost()).toBe('connection_lost')
    stop()
    expect(port.peers()).toBe(1)
    expect(await alive.lost()).toBe('connection_lost')
  })

  test('a peer that speaks is alive without a word on the data channel', async () => {
    const port = await openPort({ livenessTimeoutMs: 200 })
    const { peer, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    await every20Ms(20, (index) => peer.speak(tone({ hz: 300, rateHz: 48000, samples: 960, from: index * 960 })))
    expect(port.peers()).toBe(1)
  })

  test('silence is not sent, and takes its time all the same', async () => {
    const port = await openPort()
    const { peer, transport, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    await every20Ms(45, (index) => {
      const speaks = index < 10 || index >= 25
      transport.playFrame(speaks ? tone({ hz: 440, rateHz: 24000, samples: 480, from: index * 480 }) : undefined)
    })
    await peer.packets(35)
    const { packets } = peer.heard()
    const first = packets[0]?.timestamp ?? 0
    const ticks = packets.map(({ timestamp }) => ((timestamp - first + 2 ** 32) % 2 ** 32) / 960)
    const [talk, silence, again] = [10, 5, 20]
    expect(ticks).toEqual([
      ...Array.from({ length: talk + silence }, (_, index) => index),
      ...Array.from({ length: again }, (_, index) => 25 + index),
    ])
    expect(packets.flatMap(({ marker }, index) => (marker ? [index] : []))).toEqual([0, talk + silence])
    const sequences = packets.map(({ sequence }) => (sequence - (packets[0]?.sequence ?? 0) + 2 ** 16) % 2 ** 16)
    expect(sequences).toEqual(packets.map((_, index) => index))
  })

  test('sender reports tell where in time the audio is', async () => {
    const port = await openPort()
    const { peer, transport, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    await every20Ms(60, (index) =>
      transport.playFrame(tone({ hz: 440, rateHz: 24000, samples: 480, from: index * 480 })),
    )
    const report = peer.reports().find((each) => each[1] === 200)
    const { packets } = peer.heard()
    expect(packets.map(({ timestamp }) => timestamp)).toContain(report?.readUInt32BE(16))
    // NTP counts from 1900.
    expect(Math.abs((report?.readUInt32BE(8) ?? 0) - 2_208_988_800 - Date.now() / 1000)).toBeLessThan(60)
  })

  test('a candidate that comes late is taken, one that cannot be used changes nothing, and what is none is refused', async () => {
    const port = await openPort()
    const { transport, opened } = await connect(port)
    transport.addRemoteCandidate('candidate:1 1 UDP 2114977791 127.0.0.1 40000 typ host')
    transport.addRemoteCandidate('candidate:1 1 TCP 2114977791 127.0.0.1 9 typ host tcptype active')
    transport.addRemoteCandidate('candidate:1 1 UDP 2114977791 a-name.local 40000 typ host')
    transport.addRemoteCandidate('')
    expect(() => transport.addRemoteCandidate('hello')).toThrow(expect.objectContaining({ code: 'invalid_sdp' }))
    await opened()
  })

  test('an offer that restarts ICE is refused, and told what to do', async () => {
    const port = await openPort()
    const { transport, peer, opened } = await connect(port)
    await opened()
    expect(() => transport.restart(peer.offer)).toThrow(/start another conversation/)
    expect(() => transport.restart('v=0')).toThrow(/no line for a data channel/)
  })

  test('an offer that is broken leaves nothing behind', async () => {
    const port = await openPort()
    expect(() => port.accept({ offer: 'v=0\r\n', needsAudio: true, requestId: 'req-1' })).toThrow(
      expect.objectContaining({ code: 'invalid_sdp' }),
    )
    expect(port.peers()).toBe(0)
  })

  test('the announced address stands in the answer in place of our own', async () => {
    const port = await openPort({ announcedAddress: '203.0.113.7' })
    const { answer } = await connect(port, { answers: false })
    const candidates = answer.split('\r\n').filter((line) => line.startsWith('a=candidate'))
    expect(candidates).toEqual([
      expect.stringMatching(new RegExp(`^a=candidate:1 1 UDP \\d+ 203.0.113.7 ${port.port} typ host$`)),
    ])
    expect(answer).not.toContain('127.0.0.1 ')
    await expect(openPort({ announcedAddress: 'not.an.address' })).rejects.toThrow(/IP address/)
  })

  test('a port that is taken is told', async () => {
    const port = await openPort()
    await expect(openPort({ port: port.port })).rejects.toThrow(/EADDRINUSE/)
  })

  test('two hundred connect and hang up, each way, and nothing is left', async () => {
    const port = await openPort()
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const { peer, transport, opened, lost } = await connect(port)
          await Promise.all([opened(), peer.open])
          if (index % 2 === 0) {
            peer.close()
            expect(await lost()).toBe('user_disconnected')
          } else {
            const closed = transport.close()
            await peer.channelClosed
            peer.close()
            await closed
          }
        }),
      )
      peers.splice(0)
    }
    expect(port.peers()).toBe(0)
  })

  test('with 5 % lost and 30 ms of jitter both ways, a tone still comes through, and does not fall behind', async () => {
    const seed = Date.now() % 2 ** 31
    const port = await openPort()
    const relay = await openUdpRelay(port.port, randomFrom(seed))
    relays.push(relay)
    const { peer, transport, heard, opened } = await connect(port, { relayPort: relay.port })
    await Promise.all([opened(), peer.open])
    relay.disturb({ loss: 0.05, jitterMs: 30 })
    const before = heard.length
    await every20Ms(160, (index) => {
      transport.playFrame(tone({ hz: 440, rateHz: 24000, samples: 480, from: index * 480 }))
      peer.speak(tone({ hz: 700, rateHz: 48000, samples: 960, from: index * 960 }))
    })
    const whileSpoken = heard.slice(before)
    expect(whileSpoken.length).toBeGreaterThanOrEqual(159)
    expect(whileSpoken.length).toBeLessThanOrEqual(161)
    const loud = whileSpoken.slice(10).filter((frame) => rms(frame) > 2000 && purity(frame, 700, 16000) > 0.6)
    if (loud.length < 0.9 * 150) throw new Error(`${loud.length} of 150 frames were heard, seed ${seed}`)
    // What is heard last was sent last: no more than the longest delay lies between.
    await every20Ms(15, () => {})
    const tail = heard.slice(before + 160 - 3, before + 160 + 15).map((frame) => rms(frame) > 1000)
    expect(tail[0]).toBe(true)
    expect(tail.at(-1)).toBe(false)
    expect(peer.heard().packets.length).toBeGreaterThan(125)
  })
})

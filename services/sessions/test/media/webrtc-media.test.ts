import { testSeed } from '@parlance/testing'
import { connect, endAll, every20Ms, openPort } from './connected-peer.js'
import { randomFrom } from './random-from.js'
import { concat, frequencyHz, purity, rms, tone } from './tone.js'
import { openUdpRelay } from './udp-relay.js'

afterEach(endAll)

describe('webrtc transport, audio', () => {
  test('a tone arrives on both sides as it was sent, at the same time', async () => {
    const port = await openPort()
    const { peer, transport, received, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    await every20Ms(60, (index) => {
      transport.playFrame(tone({ hz: 440, rateHz: 24000, samples: 480, from: index * 480 }))
      peer.speak(tone({ hz: 700, rateHz: 48000, samples: 960, from: index * 960 }))
    })
    const atPeer = concat(peer.received().pcm.slice(-40, -5))
    expect(frequencyHz(atPeer, 48000)).toBeCloseTo(440, 0)
    expect(purity(atPeer, 440, 48000)).toBeGreaterThan(0.95)
    expect(rms(atPeer)).toBeGreaterThan(4000)
    const atUs = concat(received.slice(20, 50))
    expect(frequencyHz(atUs, 16000)).toBeCloseTo(700, 0)
    // A packet that came after its tick was concealed, once.
    expect(purity(atUs, 700, 16000)).toBeGreaterThan(0.85)
    expect(rms(atUs)).toBeGreaterThan(4000)
  })

  test('silence is not sent, and the timing is kept', async () => {
    const port = await openPort()
    const { peer, transport, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    await every20Ms(45, (index) => {
      const speaks = index < 10 || index >= 25
      transport.playFrame(speaks ? tone({ hz: 440, rateHz: 24000, samples: 480, from: index * 480 }) : undefined)
    })
    await peer.packets(35)
    const { packets } = peer.received()
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

  test('sender reports give the time of the audio', async () => {
    const port = await openPort()
    const { peer, transport, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    await every20Ms(60, (index) =>
      transport.playFrame(tone({ hz: 440, rateHz: 24000, samples: 480, from: index * 480 })),
    )
    const report = peer.reports().find((each) => each[1] === 200)
    const { packets } = peer.received()
    expect(packets.map(({ timestamp }) => timestamp)).toContain(report?.readUInt32BE(16))
    // NTP counts from 1900.
    expect(Math.abs((report?.readUInt32BE(8) ?? 0) - 2_208_988_800 - Date.now() / 1000)).toBeLessThan(60)
  })

  test('with 5 % lost and 30 ms of jitter both ways, a tone still comes through, and does not fall behind', async () => {
    const seed = testSeed()
    const port = await openPort()
    const relay = await openUdpRelay(port.port, randomFrom(seed))
    const { peer, transport, received, opened } = await connect(port, { relayPort: relay.port })
    await Promise.all([opened(), peer.open])
    relay.disturb({ loss: 0.05, jitterMs: 30 })
    const before = received.length
    await every20Ms(160, (index) => {
      transport.playFrame(tone({ hz: 440, rateHz: 24000, samples: 480, from: index * 480 }))
      peer.speak(tone({ hz: 700, rateHz: 48000, samples: 960, from: index * 960 }))
    })
    const whileSpoken = received.slice(before)
    // At each end the clock may make up for five ticks of one before those of the other.
    expect(whileSpoken.length).toBeGreaterThanOrEqual(147)
    expect(whileSpoken.length).toBeLessThanOrEqual(173)
    const loud = whileSpoken.slice(10).filter((frame) => rms(frame) > 2000 && purity(frame, 700, 16000) > 0.6)
    if (loud.length < 0.8 * 150) throw new Error(`${loud.length} of 150 frames were received, seed ${seed}`)
    // The last audio arrives last, no later than the longest delay.
    await every20Ms(15, () => {})
    const tail = received.slice(before + 160 - 3, before + 160 + 15).map((frame) => rms(frame) > 1000)
    expect(tail[0]).toBe(true)
    expect(tail.at(-1)).toBe(false)
    relay.close()
    expect(peer.received().packets.length).toBeGreaterThan(125)
  })
})

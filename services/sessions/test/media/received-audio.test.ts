import { Encoder } from '@evan/opus'
import { describeWithPrograms } from '@parlance/testing'
import { createReceivedAudio } from '../../src/media/webrtc/received-audio.js'
import { writeRtpPacket } from '../../src/media/webrtc/rtp-packet.js'
import { overNetwork, sentences } from './speech-over-network.js'
import { concat, frequencyHz, purity, rms, tone } from './tone.js'

/** Packets of a tone of 400 Hz. */
const sender = (options: { packetMs?: number; ssrc?: number; timestamp?: number } = {}) => {
  const { packetMs = 20, ssrc = 1 } = options
  const encoder = new Encoder({ channels: 1, sample_rate: 48000, application: 'voip' })
  let [sequence, timestamp, from] = [0, options.timestamp ?? 0, 0]
  return () => {
    const samples = packetMs * 48
    const payload = encoder.encode(tone({ hz: 400, rateHz: 48000, samples, from }))
    from += samples
    timestamp += samples
    return writeRtpPacket({
      payloadType: 111,
      marker: false,
      sequence: sequence++,
      timestamp: timestamp % 2 ** 32,
      ssrc,
      payload,
    })
  }
}

const isTone = (frames: readonly Int16Array[]) => {
  const pcm = concat(frames)
  return { hz: Math.round(frequencyHz(pcm, 16000)), pure: purity(pcm, 400, 16000) > 0.9 }
}

describe('received audio', () => {
  test.each([10, 20, 40, 60])('packets of %i ms become frames of 20 ms', (packetMs) => {
    const received = createReceivedAudio({ payloadType: 111 })
    const packet = sender({ packetMs })
    const frames: Int16Array[] = []
    for (let ms = 0; ms < 1200; ms += 10) {
      if (ms % packetMs === 0) received.receive(packet())
      if (ms % 20 === 10) frames.push(...received.nextFrames())
    }
    expect(frames.every((frame) => frame.length === 320)).toBe(true)
    expect(isTone(frames.slice(20, 50))).toEqual({ hz: 400, pure: true })
  })

  test('single lost packets are concealed', () => {
    const received = createReceivedAudio({ payloadType: 111 })
    const packet = sender()
    const frames = Array.from({ length: 200 }, (_, index) => {
      const next = packet()
      if (index % 20 !== 10) received.receive(next)
      return received.nextFrames()
    }).flat()
    expect(Math.min(...frames.slice(10).map(rms))).toBeGreaterThan(2000)
    expect(isTone(frames.slice(10)).pure).toBe(true)
  })

  test('audio that breaks off fades to silence within 60 ms, and can come back', () => {
    const received = createReceivedAudio({ payloadType: 111 })
    const packet = sender()
    const play = (count: number, receives: boolean) =>
      Array.from({ length: count }, () => {
        if (receives) received.receive(packet())
        return rms(concat(received.nextFrames()))
      })
    play(50, true)
    const fading = play(30, false)
    const first = fading.findIndex((level) => level < 3500)
    expect(fading[first]).toBeGreaterThan(fading[first + 1] as number)
    expect(fading[first + 1]).toBeGreaterThan(fading[first + 2] as number)
    expect(fading.slice(first + 3).every((level) => level === 0)).toBe(true)
    expect(
      play(50, true)
        .slice(-20)
        .every((level) => level > 3500),
    ).toBe(true)
  })

  test('audio that a stall of 600 ms has delayed is all received, at once', () => {
    const received = createReceivedAudio({ payloadType: 111 })
    const packet = sender()
    const nextFrames = (packets: number): Int16Array[] => {
      for (let at = 0; at < packets; at++) received.receive(packet())
      return received.nextFrames()
    }
    const before = Array.from({ length: 50 }, () => nextFrames(1)).flat()
    const stalled = Array.from({ length: 30 }, () => nextFrames(0)).flat()
    const late = nextFrames(31)
    expect(rms(concat(before.slice(-20)))).toBeGreaterThan(3500)
    expect(rms(concat(stalled.slice(-20)))).toBe(0)
    // The others wait: the longest delay is 120 ms.
    expect(late.length).toBeGreaterThanOrEqual(31 - 7)
    expect(isTone(late.slice(2))).toEqual({ hz: 400, pure: true })
  })

  test('a new stream of the same peer is used', () => {
    const received = createReceivedAudio({ payloadType: 111 })
    const packets = [sender({ ssrc: 1 }), sender({ ssrc: 2, timestamp: 1_000_000 })]
    const frames = packets.flatMap((packet) =>
      Array.from({ length: 50 }, () => {
        received.receive(packet())
        return received.nextFrames()
      }).flat(),
    )
    expect(isTone(frames.slice(60)).pure).toBe(true)
  })

  test('packets that are not RTP, not Opus or not of this stream have no effect', () => {
    const received = createReceivedAudio({ payloadType: 111 })
    const packet = sender()
    const frames = Array.from({ length: 100 }, () => {
      received.receive(packet())
      received.receive(Buffer.from('nothing of the kind'))
      received.receive(
        writeRtpPacket({
          payloadType: 8,
          marker: false,
          sequence: 1,
          timestamp: 1,
          ssrc: 1,
          payload: Uint8Array.of(1, 2),
        }),
      )
      received.receive(
        writeRtpPacket({
          payloadType: 111,
          marker: false,
          sequence: 1,
          timestamp: 1,
          ssrc: 1,
          payload: Uint8Array.of(),
        }),
      )
      return received.nextFrames()
    }).flat()
    expect(isTone(frames.slice(20)).pure).toBe(true)
  })

  test('packets with invalid content are concealed', () => {
    const received = createReceivedAudio({ payloadType: 111 })
    const payload = Uint8Array.from([0x7b, 0x83, 0xff, 0xff, 0xff])
    for (let sequence = 0; sequence < 20; sequence++) {
      received.receive(
        writeRtpPacket({ payloadType: 111, marker: false, sequence, timestamp: sequence * 2880, ssrc: 1, payload }),
      )
      for (const frame of received.nextFrames()) expect(frame).toHaveLength(320)
    }
  })
})

/** How similar two signals are over their loud parts, from 0 to 1, wherever one lags the other by up to 160 ms. */
const similarity = (one: readonly Int16Array[], other: readonly Int16Array[]): number => {
  const clean = concat(one)
  const heard = concat(other)
  let sum = 0
  let count = 0
  for (let at = 1600; at + 4800 < clean.length; at += 3200) {
    const part = clean.subarray(at, at + 800)
    if (rms(part) < 300) continue
    let best = 0
    for (let lag = -320; lag <= 2560; lag += 1) {
      const shifted = heard.subarray(at + lag, at + lag + 800)
      if (shifted.length === 800) best = Math.max(best, correlation(part, shifted))
    }
    sum += best
    count += 1
  }
  return sum / count
}

const correlation = (one: Int16Array, other: Int16Array): number => {
  let [product, first, second] = [0, 1, 1]
  for (let at = 0; at < one.length; at++) {
    product += one[at]! * other[at]!
    first += one[at]! ** 2
    second += other[at]! ** 2
  }
  return product / Math.sqrt(first * second)
}

describeWithPrograms(['flite'], 'speech over a bad network', () => {
  test('of which 10 % is lost is nearer to the original when the packets hold copies of those before', async () => {
    const original = await overNetwork(sentences, { corrects: true, loss: 0, jitterMs: 0 })
    const withCopies = similarity(original, await overNetwork(sentences, { corrects: true, loss: 0.1, jitterMs: 0 }))
    const plain = similarity(original, await overNetwork(sentences, { corrects: false, loss: 0.1, jitterMs: 0 }))
    process.stdout.write(`10 % lost: ${withCopies.toFixed(3)} with copies, ${plain.toFixed(3)} without\n`)
    expect(withCopies).toBeGreaterThan(plain)
    expect(withCopies).toBeGreaterThan(0.9)
  })

  test('with 10 % lost and 60 ms of jitter is mostly as it was sent', async () => {
    const original = await overNetwork(sentences, { corrects: true, loss: 0, jitterMs: 0 })
    const heard = similarity(original, await overNetwork(sentences, { corrects: true, loss: 0.1, jitterMs: 60 }))
    process.stdout.write(`10 % lost, 60 ms of jitter: ${heard.toFixed(3)}\n`)
    expect(heard).toBeGreaterThan(0.8)
  })
})

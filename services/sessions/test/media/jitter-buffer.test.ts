import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { JitterBuffer, type Taken } from '../../src/media/webrtc/jitter-buffer.js'

const seed = testSeed()
const check = <T extends [unknown, ...unknown[]]>(property: fc.IProperty<T>, numRuns = 100) => {
  try {
    fc.assert(property, { seed, numRuns })
  } catch (error) {
    console.error(`FC_SEED=${seed}`)
    throw error
  }
}

const frame = 960

interface Sent {
  readonly index: number
  readonly atMs: number
  readonly timestamp: number
  readonly samples: number
}

/** A number as a payload, so that packets can be identified. */
const payloadOf = (index: number) => Uint8Array.of(index >> 8, index & 0xff)
const indexOf = (payload: Uint8Array) => ((payload[0] as number) << 8) | (payload[1] as number)

/** Pushes each packet at its time, and takes 20 ms of audio every 20 ms. Returns what was taken, with its time. */
const run = (sent: readonly Sent[], options: { ms: number; takeEveryMs?: number }) => {
  const buffer = new JitterBuffer()
  const queue = [...sent].sort((a, b) => a.atMs - b.atMs)
  const taken: (Taken & { atMs: number })[] = []
  const waiting: number[] = []
  let owed = 0
  for (let atMs = 0; atMs < options.ms; atMs += options.takeEveryMs ?? 20) {
    while (queue[0] !== undefined && queue[0].atMs <= atMs) {
      const { timestamp, samples, index } = queue.shift() as Sent
      buffer.push({ timestamp: timestamp % 2 ** 32, samples, payload: payloadOf(index) })
    }
    for (owed += frame; owed > 0 || buffer.isBehind(); ) {
      const next = buffer.take()
      taken.push({ ...next, atMs })
      owed -=
        next.kind === 'packet'
          ? (sent.find(({ index }) => index === indexOf(next.payload))?.samples ?? 0)
          : next.samples
    }
    waiting.push(buffer.waitingMs())
  }
  return { taken, waiting, indices: taken.flatMap((each) => (each.kind === 'packet' ? [indexOf(each.payload)] : [])) }
}

const stream = (options: {
  count: number
  firstTimestamp?: number
  packetMs?: number
  delayMs?: (index: number) => number
}): Sent[] => {
  const { count, firstTimestamp = 1000, packetMs = 20, delayMs = () => 0 } = options
  return Array.from({ length: count }, (_, index) => ({
    index,
    atMs: index * packetMs + delayMs(index),
    timestamp: firstTimestamp + index * packetMs * 48,
    samples: packetMs * 48,
  }))
}

const lostWithin = (taken: readonly Taken[]) => taken.filter(({ kind }) => kind === 'lost').length

describe('jitter buffer', () => {
  test('an even stream is returned completely, in order, and without concealment', () => {
    const { indices, taken } = run(stream({ count: 500 }), { ms: 9900 })
    expect(indices.slice(0, 400)).toEqual(Array.from({ length: 400 }, (_, index) => index))
    expect(lostWithin(taken.slice(0, 450))).toBe(0)
  })

  test('the output is in order and without duplicates, for any input', () => {
    check(
      fc.property(
        fc.array(
          fc.record({
            step: fc.integer({ min: -30, max: 30 }),
            samples: fc.constantFrom(120, 480, 960, 2880),
            gapMs: fc.integer({ min: 0, max: 90 }),
          }),
          { maxLength: 300 },
        ),
        fc.nat(2 ** 32 - 1),
        (steps, firstTimestamp) => {
          let [at, timestamp] = [0, firstTimestamp]
          const sent = steps.map(({ step, samples, gapMs }, index) => {
            at += gapMs
            timestamp = (timestamp + step * 480 + 2 ** 32) % 2 ** 32
            return { index, atMs: at, timestamp, samples }
          })
          const { indices, waiting } = run(sent, { ms: at + 500 })
          expect(new Set(indices).size).toBe(indices.length)
          expect(Math.max(0, ...waiting)).toBeLessThan(2200)
        },
      ),
    )
  })

  test('jitter of 30 ms with 5 % lost: order is kept, hardly more than what was lost is missing, and the delay stays bounded', () => {
    check(
      fc.property(fc.infiniteStream(fc.nat(999)), fc.nat(2 ** 32 - 1), (random, firstTimestamp) => {
        const next = () => random.next().value as number
        const all = stream({ count: 1500, firstTimestamp, delayMs: () => (next() * 30) / 1000 })
        const sent = all.filter(() => next() >= 50)
        const { indices, waiting, taken } = run(sent, { ms: 30_000 })
        expect(indices).toEqual([...indices].sort((a, b) => a - b))
        expect(indices.length).toBeGreaterThan(sent.length * 0.97)
        expect(lostWithin(taken.slice(0, 1480))).toBeLessThan((1500 - sent.length) * 1.5 + 15)
        expect(Math.max(...waiting)).toBeLessThanOrEqual(140)
      }),
      10,
    )
  })

  test('timestamps that wrap make no difference', () => {
    const wrapping = run(stream({ count: 200, firstTimestamp: 2 ** 32 - 50 * frame - 7 }), { ms: 3900 })
    const plain = run(stream({ count: 200 }), { ms: 3900 })
    expect(wrapping.indices).toEqual(plain.indices)
    expect(wrapping.taken.map(({ kind }) => kind)).toEqual(plain.taken.map(({ kind }) => kind))
  })

  test('packets out of order come out in order; a second copy changes nothing', () => {
    const sent = stream({ count: 200, delayMs: (index) => (index % 5 === 0 ? 25 : 0) })
    const copies = sent.map((packet) => ({ ...packet, atMs: packet.atMs + 45 }))
    const { indices, taken } = run([...sent, ...copies], { ms: 3900 })
    // The first packet is late before the delay has grown.
    expect(indices.slice(0, 180)).toEqual(Array.from({ length: 180 }, (_, index) => index + 1))
    expect(lostWithin(taken.slice(20, 190))).toBe(0)
  })

  test.each([10, 40, 60])('packets of %i ms are returned in order, without concealment', (packetMs) => {
    const { indices, taken } = run(stream({ count: 300, packetMs }), { ms: 2900 })
    const last = indices.at(-1) as number
    expect(last).toBeGreaterThan(2700 / packetMs - 2)
    // One packet of 10 ms may be left out for a shorter delay.
    expect(indices.length).toBeGreaterThanOrEqual(last)
    expect(indices).toEqual([...indices].sort((a, b) => a - b))
    expect(lostWithin(taken)).toBe(0)
  })

  test('a missing packet is concealed with the packet after it, and the timing is kept once the delay has grown', () => {
    const sent = stream({ count: 100 }).filter(({ index }) => index !== 20 && index !== 50)
    const { taken } = run(sent, { ms: 1900 })
    const nameOf = (each: Taken) => {
      if (each.kind === 'packet') return indexOf(each.payload)
      return each.kind === 'lost' && each.next !== undefined ? `before ${indexOf(each.next)}` : each.kind
    }
    const names = taken.map(nameOf)
    const around = (index: number) => names.slice(names.indexOf(index), names.indexOf(index) + 4)
    expect(around(19)).toEqual([19, 'lost', 'before 21', 21])
    expect(around(49)).toEqual([49, 'before 51', 51, 52])
  })

  test('a stream begins with the delay of one packet', () => {
    const { waiting } = run(stream({ count: 100 }), { ms: 1900 })
    expect(Math.max(...waiting)).toBeLessThanOrEqual(20)
  })

  test('a pause of the sender is concealed for at most 80 ms; silence follows, and the buffer restarts', () => {
    const talk = stream({ count: 50 })
    const later = stream({ count: 50, firstTimestamp: 1000 + 400 * frame }).map((packet) => ({
      ...packet,
      index: packet.index + 50,
      atMs: packet.atMs + 8000,
    }))
    const { taken, indices } = run([...talk, ...later], { ms: 9800 })
    expect(indices.slice(0, 90)).toEqual(Array.from({ length: 90 }, (_, index) => index))
    const inPause = taken.filter(({ atMs }) => atMs > 1000 && atMs < 8000)
    expect(lostWithin(inPause)).toBe(3)
    expect(inPause.filter(({ kind }) => kind === 'silence').length).toBeGreaterThan(300)
    expect(taken.filter(({ atMs }) => atMs >= 8060 && atMs < 8900).every(({ kind }) => kind === 'packet')).toBe(true)
  })

  test('single packets of a silent sender (DTX) are taken', () => {
    const sent = [0, 20, 40].map((each) => ({ index: each, atMs: each * 20, timestamp: each * frame, samples: frame }))
    expect(run(sent, { ms: 1500 }).indices).toEqual([0, 20, 40])
  })

  test('a stream that restarts at another timestamp is used', () => {
    const before = stream({ count: 50, firstTimestamp: 3_000_000_000 })
    const after = stream({ count: 100, firstTimestamp: 17 }).map((packet) => ({
      ...packet,
      index: packet.index + 50,
      atMs: packet.atMs + 1000,
    }))
    const { indices } = run([...before, ...after], { ms: 2800 })
    expect(indices.slice(-80)).toEqual(
      Array.from({ length: 80 }, (_, index) => (indices.at(-1) as number) - 79 + index),
    )
    expect(indices.at(-1)).toBeGreaterThan(130)
  })

  test.each([
    ['faster', 19.9],
    ['slower', 20.1],
  ])('a sender whose clock runs %s than ours is followed without the delay growing', (_, sentEveryMs) => {
    const sent = stream({ count: 6000 }).map((packet) => ({ ...packet, atMs: packet.index * sentEveryMs }))
    const { waiting, indices } = run(sent, { ms: 115_000 })
    expect(Math.max(...waiting.slice(-1000))).toBeLessThanOrEqual(80)
    expect(indices).toEqual([...indices].sort((a, b) => a - b))
    expect(indices.length).toBeGreaterThan(5600)
  })

  test('the delay follows the jitter up, and down again when it has passed', () => {
    const { waiting } = run(
      stream({ count: 1500, delayMs: (index) => (index > 300 && index < 600 && index % 7 === 0 ? 90 : 0) }),
      {
        ms: 29_900,
      },
    )
    expect(Math.max(...waiting.slice(100, 290))).toBeLessThanOrEqual(60)
    expect(Math.max(...waiting.slice(500, 600))).toBeGreaterThanOrEqual(80)
    expect(Math.max(...waiting.slice(-200))).toBeLessThanOrEqual(60)
  })

  test('packets that come together after a stall are all taken at once, and the delay is short again', () => {
    const sent = stream({ count: 200 }).map((packet) =>
      packet.index > 100 && packet.index < 150 ? { ...packet, atMs: 3000 } : packet,
    )
    const { waiting, indices } = run(sent, { ms: 3900 })
    expect(indices).toEqual(Array.from({ length: indices.length }, (_, index) => index))
    expect(indices.length).toBeGreaterThan(185)
    expect(Math.max(...waiting)).toBeLessThanOrEqual(140)
  })
})

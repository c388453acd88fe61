import fc from 'fast-check'
import { createSegmentQueue, cutText, type SegmentBatch, type SegmentQueue } from '../src/segment-queue.js'
import type { Segment } from '../src/segmenter.js'

const segment = (text: string): Segment => ({ text, speakable: text.trim() !== '' })
const sentence = (length: number) => segment(`${'a'.repeat(length - 1)}.`)

const handedOut = async (put: (queue: SegmentQueue) => void, { joins = true, batchLength = 0 } = {}) => {
  const queue = createSegmentQueue({ joins, batchLength })
  put(queue)
  queue.end()
  const batches: SegmentBatch[] = []
  for await (const one of queue) batches.push(one)
  return batches
}
const lengths = (segments: readonly Segment[]) => segments.map(({ text }) => text.length)

describe('a queue of segments', () => {
  test('returns the first segment alone, and then growing batches up to the maximum length', async () => {
    const many = Array.from({ length: 40 }, () => sentence(40))
    expect(lengths(await handedOut((queue) => queue.push(many)))).toEqual([40, 80, 240, 280, 280, 280, 280, 120])
  })

  test('joins no segments across parts, nor when each must be spoken separately', async () => {
    const three = [sentence(10), sentence(10), sentence(10)]
    const parted = (queue: SegmentQueue) => {
      queue.push(three)
      queue.part()
      queue.part()
      queue.push([sentence(10)])
    }
    expect(lengths(await handedOut(parted))).toEqual([10, 20, 10])
    expect(lengths(await handedOut(parted, { joins: false }))).toEqual([10, 10, 10, 10])
  })

  test('returns a blank line with the segment before it, which ends the paragraph', async () => {
    const three = [segment('One. Two.'), segment(' \n\nThree.'), segment(' \n\n')]
    const texts = (await handedOut((queue) => queue.push(three), { joins: false })).map(({ text }) => text)
    expect(texts).toEqual(['One. Two. \n\n', 'Three.', ' \n\n'])
  })

  test('a segment that a reader waits for is returned when it arrives', async () => {
    const queue = createSegmentQueue({ joins: true, batchLength: 0 })
    const reader = queue[Symbol.asyncIterator]()
    const first = reader.next()
    queue.push([sentence(5)])
    expect((await first).value?.text).toBe('aaaa.')
    const second = reader.next()
    queue.end()
    expect((await second).done).toBe(true)
  })

  test('waiting segments are returned together, with the offsets at which they end', async () => {
    const waiting = [sentence(10), sentence(20), sentence(30), sentence(40)]
    const put = (queue: SegmentQueue) => queue.push(waiting)
    const [all, ...none] = await handedOut(put, { joins: false, batchLength: 1_000 })
    expect(none).toEqual([])
    expect(cutText(all!.text, all!.cuts)).toEqual(waiting.map(({ text }) => text))
    const [joined] = await handedOut(put, { batchLength: 1_000 })
    expect(cutText(joined!.text, joined!.cuts).map(({ length }) => length)).toEqual([10, 20, 30, 40])
    expect(lengths(await handedOut(put, { joins: false, batchLength: 30 }))).toEqual([30, 30, 40])
  })

  test('a segment without speakable text is a batch of its own', async () => {
    const put = (queue: SegmentQueue) => queue.push([sentence(10), segment('  '), sentence(10)])
    const batches = await handedOut(put, { joins: false, batchLength: 1_000 })
    expect(batches.map(({ speakable, cuts }) => [speakable, cuts])).toEqual([
      [true, []],
      [false, []],
      [true, []],
    ])
  })

  test('no text is lost, repeated or moved, and joining makes no segment too long', async () => {
    const texts = fc.array(fc.array(fc.string({ minLength: 1, maxLength: 320 }), { maxLength: 12 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(30), fc.nat(900), async (groups, taken, batchLength) => {
        const queue = createSegmentQueue({ joins: true, batchLength })
        for (const group of groups) {
          queue.push(group.map(segment))
          queue.part()
        }
        queue.end()
        const reader = queue[Symbol.asyncIterator]()
        const read: SegmentBatch[] = []
        for (let count = 0; count < taken; count++) {
          const { value, done } = await reader.next()
          if (done) break
          read.push(value)
        }
        expect([...read, ...queue.left()].map(({ text }) => text).join('')).toBe(groups.flat().join(''))
        for (const text of read.flatMap(({ text, cuts }) => cutText(text, cuts))) {
          expect(text.length <= 300 || groups.flat().includes(text)).toBe(true)
        }
      }),
    )
  })
})

import fc from 'fast-check'
import { createSegmentQueue } from '../src/segment-queue.js'
import type { Segment } from '../src/segmenter.js'

const segment = (text: string): Segment => ({ text, speakable: text.trim() !== '' })
const sentence = (length: number) => segment(`${'a'.repeat(length - 1)}.`)

const handedOut = async (put: (queue: ReturnType<typeof createSegmentQueue>) => void, joins = true) => {
  const queue = createSegmentQueue({ joins })
  put(queue)
  queue.end()
  const segments: Segment[] = []
  for await (const one of queue) segments.push(one)
  return segments
}
const lengths = (segments: readonly Segment[]) => segments.map(({ text }) => text.length)

describe('a queue of segments', () => {
  test('hands out the first alone, and then ever more together up to the longest segment', async () => {
    const many = Array.from({ length: 40 }, () => sentence(40))
    expect(lengths(await handedOut((queue) => queue.push(many)))).toEqual([40, 80, 240, 280, 280, 280, 280, 120])
  })

  test('joins nothing across a part, nor where each was to be spoken as given', async () => {
    const three = [sentence(10), sentence(10), sentence(10)]
    const parted = (queue: ReturnType<typeof createSegmentQueue>) => {
      queue.push(three)
      queue.part()
      queue.part()
      queue.push([sentence(10)])
    }
    expect(lengths(await handedOut(parted))).toEqual([10, 20, 10])
    expect(lengths(await handedOut(parted, false))).toEqual([10, 10, 10, 10])
  })

  test('what is waited for is handed out when it comes', async () => {
    const queue = createSegmentQueue({ joins: true })
    const reader = queue[Symbol.asyncIterator]()
    const first = reader.next()
    queue.push([sentence(5)])
    expect((await first).value?.text).toBe('aaaa.')
    const second = reader.next()
    queue.end()
    expect((await second).done).toBe(true)
  })

  test('nothing is lost, doubled or moved, and none is too long that was not so before', async () => {
    const texts = fc.array(fc.array(fc.string({ minLength: 1, maxLength: 320 }), { maxLength: 12 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(30), async (groups, taken) => {
        const queue = createSegmentQueue({ joins: true })
        for (const group of groups) {
          queue.push(group.map(segment))
          queue.part()
        }
        queue.end()
        const reader = queue[Symbol.asyncIterator]()
        const read: Segment[] = []
        for (let count = 0; count < taken; count++) {
          const { value, done } = await reader.next()
          if (done) break
          read.push(value)
        }
        expect([...read, ...queue.left()].map(({ text }) => text).join('')).toBe(groups.flat().join(''))
        for (const { text } of read) {
          expect(text.length <= 300 || groups.flat().includes(text)).toBe(true)
        }
      }),
    )
  })
})

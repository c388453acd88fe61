import type { Recognizer } from '../../src/stt/recognizer.js'
import { createRecognizerSet } from '../../src/stt/recognizer-set.js'

/** A recognizer that recognizes nothing, and counts what is asked of it. */
const createCounted = (name: string) => {
  const counts = { warm: 0, closed: 0 }
  const recognizer: Recognizer = {
    name,
    languages: ['en'],
    keepWarm() {
      counts.warm += 1
      return () => {
        counts.warm -= 1
      }
    },
    open: () => ({ push() {}, finish: async () => ({ text: '', audioMs: 0 }), cancel() {} }),
    close: async () => {
      counts.closed += 1
    },
  }
  return { recognizer, counts }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const options = { language: 'en', onPartial() {} }

test('members are in order of their names, and of one name there is one', () => {
  const set = createRecognizerSet()
  for (const name of ['b', 'a']) set.add(createCounted(name).recognizer)
  expect(set.members.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(() => set.add(createCounted('a').recognizer)).toThrow('there is a recognizer a already')
})

test('a recognizer that is removed can be chosen no more, and closes when its last conversation ends', async () => {
  const { recognizer, counts } = createCounted('a')
  const set = createRecognizerSet()
  set.add(recognizer)
  const [chosen] = set.members
  const releases = [chosen!.keepWarm!(), chosen!.keepWarm!()]
  const recognition = chosen!.open(options)
  const removed = set.remove('a')
  expect(set.members).toEqual([])
  releases[0]!()
  releases[0]!()
  await settled()
  expect(counts).toEqual({ warm: 0, closed: 0 })
  releases[1]!()
  await settled()
  expect(counts.closed).toBe(0)
  await recognition.finish()
  await removed
  expect(counts.closed).toBe(1)
})

test('a cancelled utterance is no use, and a recognizer that is not used closes at once', async () => {
  const { recognizer, counts } = createCounted('a')
  const set = createRecognizerSet()
  set.add(recognizer)
  set.members[0]!.open(options).cancel()
  await set.remove('a')
  expect(counts.closed).toBe(1)
  await set.remove('a')
  expect(counts.closed).toBe(1)
})

test('closing the set closes each recognizer once, also one that was removed and is used', async () => {
  const [a, b] = [createCounted('a'), createCounted('b')]
  const set = createRecognizerSet()
  set.add(a.recognizer)
  set.add(b.recognizer)
  set.members[0]!.keepWarm!()
  const removed = set.remove('a')
  await set.close()
  await removed
  expect([a.counts.closed, b.counts.closed]).toEqual([1, 1])
})

import { giveAll } from '../../src/push-stream/index.js'

test('all items are given at once while there is room', () => {
  const given: number[] = []
  expect(giveAll([1, 2, 3], (item) => void given.push(item))).toBeUndefined()
  expect(given).toEqual([1, 2, 3])
})

test('each item is made and given when there is room for it', async () => {
  const given: number[] = []
  let made = 0
  const items = function* () {
    for (made = 1; made <= 3; made++) yield made
  }
  let makeRoom = () => {}
  const giving = giveAll(items(), (item) => {
    given.push(item)
    return new Promise<void>((resolve) => {
      makeRoom = resolve
    })
  })
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await new Promise(setImmediate)
    expect([given, made]).toEqual([expected, expected.length])
    makeRoom()
  }
  await giving
})

test('what the sink fails with ends it, at once or later', async () => {
  const reason = new Error('no more')
  expect(() =>
    giveAll([1], () => {
      throw reason
    }),
  ).toThrow(reason)
  await expect(giveAll([1], () => Promise.reject(reason))).rejects.toBe(reason)
})

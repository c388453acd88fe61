import { deliverAll } from '../../src/push-stream/index.js'

test('all items are delivered at once while there is room', () => {
  const delivered: number[] = []
  expect(deliverAll([1, 2, 3], (item) => void delivered.push(item))).toBeUndefined()
  expect(delivered).toEqual([1, 2, 3])
})

test('each item is produced and delivered when there is room for it', async () => {
  const delivered: number[] = []
  let made = 0
  const items = function* () {
    for (made = 1; made <= 3; made++) yield made
  }
  let makeRoom = () => {}
  const delivery = deliverAll(items(), (item) => {
    delivered.push(item)
    return new Promise<void>((resolve) => {
      makeRoom = resolve
    })
  })
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await new Promise(setImmediate)
    expect([delivered, made]).toEqual([expected, expected.length])
    makeRoom()
  }
  await delivery
})

test('an error of the sink ends the delivery, at once or later', async () => {
  const reason = new Error('no more')
  expect(() =>
    deliverAll([1], () => {
      throw reason
    }),
  ).toThrow(reason)
  await expect(deliverAll([1], () => Promise.reject(reason))).rejects.toBe(reason)
})

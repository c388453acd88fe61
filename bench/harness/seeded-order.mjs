import { randomInt } from 'node:crypto'

export const newSeed = () => randomInt(2 ** 31)

/** A number from 0 to 1 per call; the same ones for the same seed (mulberry32). */
export const seededRandom = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A function that gives the items in another random order each time. */
export const seededOrder = (seed) => {
  const random = seededRandom(seed)
  return (items) => {
    const order = [...items]
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      ;[order[last], order[other]] = [order[other], order[last]]
    }
    return order
  }
}

import { vi } from 'vitest'
import { createAudioTap, type TappedFrames } from '../../src/media/audio-tap.js'

const frameOf = (value: number, samples: number) => new Int16Array(samples).fill(value)
const user = (value: number) => frameOf(value, 320)
const agent = (value: number) => frameOf(value, 480)

afterEach(() => vi.restoreAllMocks())

const tapped = (now = () => 0) => {
  vi.spyOn(performance, 'now').mockImplementation(now)
  const errors: unknown[] = []
  const tap = createAudioTap({ onError: (error) => void errors.push(error) })
  const pairs: (readonly (number | undefined)[])[] = []
  const note = ({ user, agent }: TappedFrames) => void pairs.push([user?.[0], agent?.[0]])
  return { tap, errors, pairs, note }
}

test('each tick of the playback is one pair of frames, with undefined for a silent side', () => {
  const { tap, pairs, note } = tapped()
  tap.listen(note)
  tap.received(user(1))
  tap.played(agent(2))
  tap.played(undefined)
  tap.received(user(3))
  tap.played(undefined)
  expect(pairs).toEqual([
    [1, 2],
    [undefined, undefined],
    [3, undefined],
  ])
})

test('a voice that arrives unevenly keeps its order, and at most its last 200 ms wait', () => {
  const { tap, pairs, note } = tapped()
  tap.listen(note)
  for (let value = 1; value <= 15; value++) tap.received(user(1000 + value))
  for (let tick = 0; tick < 11; tick++) tap.played(undefined)
  expect(pairs.map(([value]) => value && value - 1000)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, undefined])
})

test('audio that came late catches up in the next silence', () => {
  const { tap, pairs, note } = tapped()
  tap.listen(note)
  for (let value = 1; value <= 5; value++) tap.received(user(1000 * value))
  for (let tick = 0; tick < 8; tick++) {
    tap.received(user(tick))
    tap.played(undefined)
  }
  expect(pairs.map(([value]) => value)).toEqual([1000, 2000, 3000, 4000, 5000, 4, 5, 6])
})

test('ticks that a stall has cost are made up for, with what the user said meanwhile', async () => {
  let nowMs = 0
  const { tap, pairs, note } = tapped(() => nowMs)
  tap.listen(note)
  nowMs = 20
  tap.played(agent(1))
  nowMs = 500
  tap.played(agent(2))
  for (let value = 1; value <= 24; value++) tap.received(user(1000 + value))
  await new Promise(setImmediate)
  expect(pairs).toHaveLength(24)
  expect(pairs.slice(0, 4)).toEqual([
    [undefined, 1],
    [undefined, 2],
    [1001, undefined],
    [1002, undefined],
  ])
})

test('a listener receives no audio from before it was added or after it was removed', () => {
  const { tap, pairs, note } = tapped()
  tap.received(user(1))
  const leave = tap.listen(note)
  tap.played(agent(1))
  tap.received(user(2))
  leave()
  tap.played(agent(2))
  tap.listen(note)
  tap.played(agent(3))
  expect(pairs).toEqual([
    [undefined, 1],
    [undefined, 3],
  ])
})

test('a listener that throws is removed, and the others continue', () => {
  const { tap, errors, pairs, note } = tapped()
  const broken = new Error('broken')
  tap.listen(() => {
    throw broken
  })
  tap.listen(note)
  tap.played(agent(1))
  tap.played(agent(2))
  expect(errors).toEqual([broken])
  expect(pairs).toHaveLength(2)
})

import { createIdleMotion } from '../src/motion/idle-motion.js'

/** Two minutes at sixty frames a second. */
const times = Array.from({ length: 7_200 }, (_, frame) => (frame * 1_000) / 60)

const evenRandom = () => {
  let at = 0
  return () => {
    at = (at + 0.618034) % 1
    return at
  }
}

const posesOf = (still: boolean) => {
  const idle = createIdleMotion({ still: () => still, random: evenRandom() })
  return times.map((atMs) => idle(atMs, Math.floor(atMs / 5_000) % 2 === 0))
}

test('it blinks every few seconds, quickly and completely', () => {
  const closed = posesOf(false).map(({ blink }) => blink > 0.5)
  const blinks = closed.filter((isClosed, frame) => isClosed && !closed[frame - 1]).length
  expect(blinks).toBeGreaterThan(20)
  expect(blinks).toBeLessThan(80)
  expect(closed.filter(Boolean).length).toBeLessThan(times.length * 0.1)
})

test('the head turns a little, and never jumps', () => {
  const poses = posesOf(false)
  const angles = poses.flatMap(({ headTurn, headNod, headTilt }) => [headTurn, headNod, headTilt].map(Math.abs))
  expect(Math.max(...angles)).toBeLessThan(0.1)
  const steps = poses.slice(1).map(({ headTurn }, frame) => Math.abs(headTurn - poses[frame]!.headTurn))
  expect(Math.max(...steps)).toBeLessThan(0.03)
})

test('with reduced motion only the blinks remain', () => {
  const [first, ...others] = posesOf(true).map(({ blink: _, ...pose }) => JSON.stringify(pose))
  expect(new Set(others)).toEqual(new Set([first]))
  expect(Math.max(...posesOf(true).map(({ blink }) => blink))).toBeGreaterThan(0.5)
})

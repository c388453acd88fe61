import { createMouth } from '../src/motion/mouth.js'

test('a mouth that is interrupted in the middle of a sound closes smoothly, and soon', () => {
  let isPlaying = true
  const mouth = createMouth(() =>
    isPlaying ? { positionMs: 100, visemes: [{ id: 'aa', start_ms: 0, end_ms: 200 }] } : undefined,
  )
  const open = mouth(0).weights.get('aa')!
  expect(open).toBeGreaterThan(0.8)
  isPlaying = false
  const closing = [15, 30, 45, 60, 75].map((nowMs) => mouth(nowMs).weights.get('aa')!)
  expect(closing).toEqual([...closing].sort((a, b) => b - a))
  expect(open - closing[0]!).toBeLessThan(0.2)
  expect(mouth(100)).toEqual({ isSpeaking: false, weights: new Map() })
})

test('a mouth that has not spoken is closed', () => {
  const mouth = createMouth(() => undefined)
  expect(mouth(0)).toEqual({ isSpeaking: false, weights: new Map() })
})

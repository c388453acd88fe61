import { createTrailingSilence } from '../../src/sentences/index.js'

const sound = (samples: number) => new Int16Array(samples).fill(5000)
const silence = (samples: number) => new Int16Array(samples).fill(60)

test('silence is measured from the last sound to the end, however the audio is divided', () => {
  const measured = createTrailingSilence(1000)
  expect(measured.ms()).toBe(0)
  for (const pcm of [silence(50), sound(100), silence(30), silence(20)]) measured.add(pcm)
  expect(measured.ms()).toBe(50)
  measured.add(Int16Array.of(0, 0, -300, 0))
  expect(measured.ms()).toBe(1)
  measured.add(sound(5))
  expect(measured.ms()).toBe(0)
})

test('audio without any sound is silent throughout', () => {
  const measured = createTrailingSilence(8000)
  measured.add(silence(800))
  expect(measured.ms()).toBe(100)
})

import { createMessagePositions } from '../../src/recording/recorder.js'

const speakFrom = (positions: ReturnType<typeof createMessagePositions>, fromMs: number, toMs: number) => {
  for (let atMs = fromMs; atMs < toMs; atMs += 20) positions.frame(atMs, true)
}

test("the user's message begins with the voice, the agent's with its first audio after the request", () => {
  const positions = createMessagePositions()
  positions.message({ id: 'user', role: 'user' }, 1_012.4)
  speakFrom(positions, 3_000, 4_000)
  positions.message({ id: 'agent', role: 'agent' }, 2_400)
  expect(positions.all()).toEqual([
    { message_id: 'user', start_ms: 1_012 },
    { message_id: 'agent', start_ms: 3_000 },
  ])
})

test('a message with pauses begins once, and does not include audio from before it was requested', () => {
  const positions = createMessagePositions()
  speakFrom(positions, 0, 200)
  speakFrom(positions, 1_000, 1_200)
  speakFrom(positions, 5_000, 6_000)
  positions.message({ id: 'first', role: 'agent' }, 600)
  speakFrom(positions, 7_000, 8_000)
  positions.message({ id: 'second', role: 'agent' }, 6_100)
  expect(positions.all().map(({ start_ms }) => start_ms)).toEqual([1_000, 7_000])
})

test('a message that was never spoken is at the position of its request', () => {
  const positions = createMessagePositions()
  positions.message({ id: 'silent', role: 'agent' }, 500)
  expect(positions.all()).toEqual([{ message_id: 'silent', start_ms: 500 }])
})

import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

const endpointing = ({ kept }: Talk) => kept.turns[0]!.endpointing_ms!

test.each([
  ['complete', 0.9, 500],
  ['incomplete', 0.02, 3000],
])('a turn that sounds %s is over after its own pause', async (_, probability, ms) => {
  const talk = await conversation({ turnDetector: { answers: [probability] } })
    .ready()
    .user('What time is it?')
    .agent()
    .run()
  expect(endpointing(talk)).toBeGreaterThanOrEqual(ms)
  expect(endpointing(talk)).toBeLessThan(ms + 40)
})

test('a user who pauses in a sentence is not answered before its end', async () => {
  const talk = await conversation({ turnDetector: { answers: [0.02, 0.9] } })
    .ready()
    .user('I would like a pizza.', 600)
    .pause(1500)
    .voice(600)
    .agent()
    .run()
  expect(talk.transcript()[0]).toBe('user: I would like a pizza.')
  expect(talk.stt.utterances).toHaveLength(1)
  expect(talk.judged).toHaveLength(2)
})

test('the detector receives the whole utterance up to the pause, including its first sound', async () => {
  const talk = await conversation({ turnDetector: { answers: [0.9] } })
    .ready()
    .pause(1000)
    .user('Hi.', 400)
    .agent()
    .run()
  const [samples] = talk.judged
  const voiced = samples!.filter((sample) => sample !== 0).length
  expect(voiced).toBe(0.4 * 16_000)
  expect(samples!.length).toBeGreaterThan(voiced + 0.3 * 16_000)
})

test('the detector receives the end of a long utterance', async () => {
  const talk = await conversation({ turnDetector: { answers: [0.9] } })
    .ready()
    .user('A long story.', 12_000)
    .agent()
    .run()
  expect(talk.judged[0]).toHaveLength(8 * 16_000)
})

test.each([
  ['has no answer', { answers: [undefined] }, 500],
  ['answers too late', { answers: [0.02], afterMs: 1500 }, 1125],
])('a turn whose detector %s is over without it', async (_, turnDetector, ms) => {
  const talk = await conversation({ turnDetector }).ready().user('Hi.').agent().agentIsDone().run()
  expect(endpointing(talk)).toBeGreaterThanOrEqual(ms)
  expect(endpointing(talk)).toBeLessThan(ms + 40)
})

test('an answer that comes after the conversation has ended is ignored', async () => {
  const talk = await conversation({ turnDetector: { answers: [0.9], afterMs: 100 } })
    .ready()
    .voice(600)
    .pause(260)
    .end('api_ended', 0)
    .pause(500)
    .run()
  expect(talk.judged).toHaveLength(1)
  expect(talk.ended()).toMatchObject({ reason: 'api_ended', error: null })
})

test('the log has the reason for the end of a turn, and none of its words', async () => {
  const { logged } = await conversation({ turnDetector: { answers: [0.9] } })
    .ready()
    .user('Top secret.')
    .agent()
    .run()
  const over = logged.filter(({ msg }) => String(msg).startsWith('The user has finished'))
  expect(over).toEqual([expect.objectContaining({ component: 'turn', code: 'audio', level: 'debug' })])
  expect(JSON.stringify(logged)).not.toContain('secret')
})

import { conversation, fakeTime } from './scenario.js'

fakeTime()

const reply = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.'

test('the message that the agent is speaking is kept once a second with the text that was played so far', async () => {
  const talk = await conversation().ready().replies(reply).types('Count.').agent().interruptAfter(3_500).run()
  const { progress, messages } = talk.kept
  expect(progress).toHaveLength(3)
  let before = ''
  for (const [index, { message, atMs }] of progress.entries()) {
    expect(message).toMatchObject({ id: messages.at(-1)!.id, role: 'agent', interrupted: true })
    expect(message.created_at).toBe(messages.at(-1)!.created_at)
    expect(reply.startsWith(message.text)).toBe(true)
    expect(message.text.length).toBeGreaterThan(before.length)
    if (index > 0) expect(atMs - progress[index - 1]!.atMs).toBeGreaterThanOrEqual(1_000)
    before = message.text
  }
})

test('nothing is kept again while the agent is paused, nor after its message is final', async () => {
  const talk = await conversation({ turn: { false_interruption_timeout_ms: 4_000 } })
    .ready()
    .replies(reply)
    .types('Count.')
    .agent()
    .interruptAfter(1_500)
    .voice(700)
    .pause(3_000)
    .agentIsDone()
    .pause(3_000)
    .run()
  const texts = talk.kept.progress.map(({ message }) => message.text)
  expect(texts).toEqual([...new Set(texts)])
  expect(talk.transcript()).toEqual(['user: Count.', `agent: ${reply}`])
  expect(talk.kept.progress.every(({ message }) => message.text.length < reply.length)).toBe(true)
})

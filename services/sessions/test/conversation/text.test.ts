import { conversation, fakeTime } from './scenario.js'

fakeTime()

test('a typed message is answered by voice, and both are kept under the ids that the peer saw', async () => {
  const id = '7e3b4a52-6b0c-4b7e-9d5e-0c6f4f1f1a01'
  const talk = await conversation().ready().replies('Hello there.').types('Hello.', id).agent().agentIsDone().run()
  expect(talk.said()).toEqual(['user: Hello.', 'agent: Hello there.'])
  expect(talk.kept.messages[0]!.id).toBe(id)
  expect(talk.states()).toEqual(['listening', 'thinking', 'speaking', 'listening'])
})

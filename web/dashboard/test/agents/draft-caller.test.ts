import { createParlanceClient } from '@parlance/client'
import { createScriptedConnection } from '@parlance/client/testing'
import { connectDraftCaller } from '../../src/agents/evaluation/draft-caller.js'

const call = async () => {
  const transport = createScriptedConnection()
  const agentId = '0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10'
  const client = createParlanceClient({ agentId, sessionToken: () => 'awst_1', transport })
  const stop = new AbortController()
  const caller = await connectDraftCaller(client, { isSpoken: false, signal: stop.signal })
  return { transport, caller, stop }
}

const message = (id: string, text: string, final = true) =>
  ({ event: 'transcript', id, role: 'agent', text, final }) as const

test('a reply is every message until the Agent listens again, and has the delay of its beginning', async () => {
  const { transport, caller } = await call()
  const replying = caller.type('When do you open?')
  const { id } = await transport.next('text.send')
  transport.emit({ event: 'transcript', id, role: 'user', text: 'When do you open?', final: true })
  transport.emit({ event: 'agent.state', state: 'thinking' })
  transport.emit({ event: 'agent.state', state: 'speaking' })
  transport.emit(message('1', 'One moment.'))
  transport.emit(message('2', 'At ni', false))
  transport.emit(message('2', 'At nine.'))
  transport.emit({ event: 'agent.state', state: 'listening' })
  const { messages, delayMs } = await replying
  expect(messages.map(({ text }) => text)).toEqual(['When do you open?', 'One moment.', 'At nine.'])
  expect(delayMs).toBeGreaterThanOrEqual(0)
})

test('a reply fails with the error of the service, with the end of the conversation, and when it is stopped', async () => {
  const refused = await call()
  const first = refused.caller.type('Hello')
  const failure = { code: 'unavailable', detail: 'The model is busy.', retryable: true, request_id: '1' }
  refused.transport.emit({ event: 'error', ...failure })
  await expect(first).rejects.toThrow('The model is busy.')

  const ended = await call()
  const second = ended.caller.type('Hello')
  ended.transport.emit({ event: 'session.ended', reason: 'max_duration' })
  await expect(second).rejects.toThrow('The session has reached its maximum duration.')

  const stopped = await call()
  const third = stopped.caller.type('Hello')
  stopped.stop.abort()
  await expect(third).rejects.toThrow('The user hung up.')
})

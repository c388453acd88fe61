// Conversations of some turns, each ended by the client. A conversation that ends by itself, that loses its connection or that
// gets no reply has failed.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { callJson } from './api.mjs'

const turns = 6
const pauseMs = 3_000
const answerWithinMs = 20_000

/** An Agent with the built-in model, which needs no server. Resolves with its id. */
export const newAgent = async (authorization, voice) => {
  const agent = await callJson(authorization, 'POST', '/v1/agents', {
    slug: 'load',
    display_name: 'Load',
    voice_id: voice.id,
    voice_config: { tts_variant: voice.variants[0].id },
    first_message: 'Hello.',
    llm_provider: 'builtin',
    llm_model: 'rules',
  })
  await callJson(authorization, 'POST', `/v1/agents/${agent.id}/publish`, {})
  return agent.id
}

const isAnswer = (event) => event.event === 'transcript' && event.role === 'agent' && event.final

/** `connect` is one of `transports.mjs`. */
export const createConversationWork = (authorization, agentId, connect) => async () => {
  const { token } = await callJson(authorization, 'POST', `/v1/agents/${agentId}/session-tokens`, {})
  let over = false
  let cut
  let onChange = () => {}
  let answers = 0
  let isReady = false
  const fail = (reason) => {
    if (!over) cut ??= reason
    onChange()
  }
  const connection = await connect({
    token,
    agentId,
    onClosed: (reason) => fail(`the connection ended: ${reason}`),
    onEvent(event) {
      if (event.event === 'session.ready') isReady = true
      if (['session.ending', 'session.ended'].includes(event.event)) fail(`${event.event} ${event.reason}`)
      if (event.event === 'error') fail(`error ${event.code}: ${event.detail}`)
      if (isAnswer(event)) answers += 1
      onChange()
    },
  })
  const until = (isSo, what) =>
    new Promise((resolve, reject) => {
      const settle = (work, value) => {
        clearTimeout(limit)
        onChange = () => {}
        work(value)
      }
      const limit = setTimeout(
        () => settle(reject, new Error(`no ${what} within ${answerWithinMs} ms`)),
        answerWithinMs,
      )
      onChange = () => {
        if (cut !== undefined) settle(reject, new Error(cut))
        else if (isSo()) settle(resolve)
      }
      onChange()
    })
  try {
    await until(() => isReady, 'session.ready')
    connection.send({ event: 'client.ready' })
    await until(() => answers >= 1, 'greeting')
    for (let turn = 1; turn <= turns; turn += 1) {
      connection.send({ event: 'text.send', id: randomUUID(), text: `What is ${turn} plus two?` })
      await until(() => answers >= turn + 1, `answer ${turn}`)
      await delay(pauseMs)
    }
    await until(() => true, 'end')
    if (connection.audio() < 20 * turns) throw new Error(`${connection.audio()} packets of audio`)
  } finally {
    over = true
    connection.close()
  }
}

/** Runs the programs of documents that are for Node, with the values that their pages explain. Fails as they fail. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'

/** Names that a program uses and does not declare. */
const given = (values) => Object.assign(globalThis, values)
const tokens = async function* () {
  yield* ['Hello, ', 'and ', 'welcome.']
}

const routes = new Map()
const received = { response: 0, player: 0, captions: 0 }
const count = (name) => (chunk) => {
  received[name] += chunk.length
}
const body = JSON.stringify({ type: 'agent_session.ended', data: { duration_seconds: 12.5 } })
const timestamp = String(Math.floor(Date.now() / 1000))
const secret = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
const signature = createHmac('sha256', secret).update(`an-event.${timestamp}.${body}`).digest('base64')
given({
  app: { post: (path, handle) => routes.set(path, handle) },
  response: { write: count('response') },
  tokens: tokens(),
  player: { write: count('player') },
  captions: { show: count('captions') },
  body,
  request: {
    headers: { 'webhook-id': 'an-event', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  },
})
await import('./docs-server-node-md-0.mjs')
assert.ok(Math.min(...Object.values(received)) > 0, JSON.stringify(received))
const minted = new Promise((resolve) => {
  const response = { type: (name) => ({ send: (text) => resolve([name, text]) }) }
  routes.get('/api/voice-token')({ user: { id: randomUUID() } }, response)
})
const [type, token] = await minted
assert.equal(type, 'text')
assert.match(token, /^awst_/)
await import('./docs-server-node-md-1.mjs')

received.player = 0
given({ tokensOfYourModel: tokens() })
await import('./sdks-node-README-md-0.mjs')
assert.ok(received.player > 0)

given({
  expect: (value) => ({
    toMatchObject(expected) {
      for (const [name, field] of Object.entries(expected)) assert.deepEqual(value[name], field)
    },
  }),
})
await import('./docs-client-md-4.mjs')
console.log('All programs for Node have run.')

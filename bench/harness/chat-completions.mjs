/**
 * A server of chat completions that thinks of nothing: the name of the model says what it streams, `200x20` for 200 tokens,
 * one every 20 ms, from the first on; `200x0` for all as fast as they are taken. `PORT` in the environment.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

const event = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`

createServer(async (request, response) => {
  const [tokens, everyMs] = (await json(request)).model.split('x').map(Number)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(event({ role: 'assistant', content: '' }))
  const startedMs = performance.now()
  for (let token = 0; token < tokens && !response.destroyed; token++) {
    const waitMs = startedMs + token * everyMs - performance.now()
    if (waitMs > 0) await delay(waitMs)
    if (!response.write(event({ content: 'word ' })) && !response.destroyed) await once(response, 'drain')
  }
  response.end(`${event({}, 'stop')}data: [DONE]\n\n`)
}).listen(Number(process.env.PORT), '127.0.0.1')

/**
 * Stand-ins for the model servers of a conversation: transcriptions and chat completions with OpenAI's interface.
 * Their answers take negligible time.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

const words = (text) => text.match(/\S+\s*/g) ?? []

const answerChat = (response, reply) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (fields) =>
    response.write(
      `data: ${JSON.stringify({ id: 'reply', object: 'chat.completion.chunk', created: 1, model: 'stand-in', ...fields })}\n\n`,
    )
  for (const content of words(reply)) chunk({ choices: [{ index: 0, delta: { role: 'assistant', content } }] })
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  chunk({ choices: [], usage: { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 } })
  response.end('data: [DONE]\n\n')
}

/**
 * Every transcription is `transcript`, every chat completion what `replyTo` returns for its messages. Returns `{ url, stop
 * }`.
 */
export const startModelStandIns = async ({ transcript, replyTo }) => {
  const answer = async (request, response) => {
    if (request.url.endsWith('/chat/completions')) {
      const { messages } = await json(request)
      return answerChat(response, replyTo(messages))
    }
    request.resume()
    await once(request, 'end')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ text: transcript }))
  }
  // A request that was cancelled while it was sent needs no answer.
  const server = createServer((request, response) => answer(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

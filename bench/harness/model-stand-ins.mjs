/**
 * Stand-ins for the model servers of a conversation: transcriptions, chat completions and speech with OpenAI's interface.
 * Without delays their answers take negligible time.
 */
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { sendJson, startLocalServer } from '../../libs/testing/dist/index.js'

const words = (text) => text.match(/\S+\s*/g) ?? []

const speechRateHz = 24_000
const msPerCharacter = 60

/** A second of a tone: s16le. It has whole periods, so that it can be repeated. */
const toneSecond = Buffer.from(
  Int16Array.from({ length: speechRateHz }, (_, at) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / speechRateHz)),
  ).buffer,
)

/** The tone, as long as a voice would take for the text. */
const toneOf = (text) => Buffer.alloc(((text.length * msPerCharacter * speechRateHz) / 1000) * 2, toneSecond)

/** An engines file whose only engine is this stand-in. */
export const engineOf = (url) => ({
  engines: {
    'stand-in': {
      type: 'openai',
      base_url: url,
      models: [{ id: 'tone', credit_per_1k_characters: '0.015' }],
      voices: [{ id: 'tone', languages: ['en'] }],
      concurrency: 256,
    },
  },
})

/**
 * Every transcription is `transcript`, every chat completion what `replyTo` returns for its messages, a word at a time, and speech a
 * tone. `delays` may be changed at any time: `transcriptionMs`, `firstTokenMs`, `tokenMs`, and `speechMs` until the first audio.
 * Returns `{ url, stop }`.
 */
export const startModelStandIns = async ({ transcript, replyTo, delays = {} }) => {
  const answerChat = async (response, reply) => {
    const { firstTokenMs, tokenMs } = delays
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (fields) =>
      response.write(
        `data: ${JSON.stringify({ id: 'reply', object: 'chat.completion.chunk', created: 1, model: 'stand-in', ...fields })}\n\n`,
      )
    // Each token is due by the clock, so that a late one does not delay the next.
    const startedMs = performance.now()
    for (const [at, content] of words(reply).entries()) {
      const leftMs = firstTokenMs === undefined ? 0 : startedMs + firstTokenMs + at * tokenMs - performance.now()
      if (leftMs > 0) await delay(leftMs)
      if (response.destroyed) return
      chunk({ choices: [{ index: 0, delta: { role: 'assistant', content } }] })
    }
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    chunk({ choices: [], usage: { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 } })
    response.end('data: [DONE]\n\n')
  }
  const answer = async (request, response) => {
    if (request.url.endsWith('/chat/completions')) {
      const { messages } = await json(request)
      return answerChat(response, replyTo(messages))
    }
    if (request.url.endsWith('/audio/speech')) {
      const { input } = await json(request)
      await delay(delays.speechMs ?? 0)
      response.writeHead(200, { 'content-type': 'audio/pcm' })
      return response.end(toneOf(input))
    }
    request.resume()
    if (request.method === 'POST') await once(request, 'end')
    if (request.url.endsWith('/audio/transcriptions')) await delay(delays.transcriptionMs ?? 0)
    return sendJson(response, 200, { text: transcript })
  }
  // A request that was cancelled while it was sent needs no answer.
  const { url, close } = await startLocalServer((request, response) =>
    answer(request, response).catch(() => response.destroy()),
  )
  return { url: `${url}/v1`, stop: close }
}

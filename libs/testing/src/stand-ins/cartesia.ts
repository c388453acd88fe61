import { setTimeout as delay } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { sendJson } from '../local-server.js'
import { standInKey } from './faults.js'
import { createSpeechState, dawdleMs, type SpeechFault, type SpeechStandIn, startServer } from './speech-stand-in.js'
import { msPerCharacter, piecesOf, sampleRateHz } from './tone-of-text.js'

const models = ['sonic-3', 'sonic-turbo']
const voices = Array.from({ length: 120 }, (_, i) => ({
  id: `a0e99841-438c-4a64-b679-${String(i).padStart(12, '0')}`,
  name: `Voice ${i}`,
  description: 'Made for tests',
  language: 'en',
  gender: i % 2 === 0 ? 'feminine' : 'masculine',
  is_owner: false,
  is_public: true,
  created_at: '2025-03-04T05:06:07Z',
}))

const errorOf = (status_code: number, error_code: string, title: string) => ({
  type: 'error',
  done: true,
  status_code,
  error_code,
  title,
  message: title,
  request_id: '550e8400-e29b-41d4-a716-446655440000',
})

/** Cartesia: contexts on a socket, the paged list of voices, its errors. */
export const startCartesiaStandIn = async ({ room = 64 } = {}): Promise<SpeechStandIn> => {
  const state = createSpeechState()
  const sockets = new WebSocketServer({ noServer: true })
  const isAllowed = (headers: NodeJS.Dict<string | string[]>) => headers['x-api-key'] === standInKey

  const listening = await startServer(async (request, response) => {
    const url = new URL(request.url!, 'http://stand-in')
    const { error_code, title, message, request_id } = errorOf(401, 'invalid_api_key', 'Invalid API key')
    if (!isAllowed(request.headers)) return sendJson(response, 401, { error_code, title, message, request_id })
    if (request.headers['cartesia-version'] !== '2026-03-01') return sendJson(response, 400, { error_code: 'version' })
    if (!state.isWell()) return sendJson(response, 503, errorOf(503, 'unavailable', 'Unavailable'))
    if (url.pathname !== '/voices') return sendJson(response, 404, errorOf(404, 'not_found', 'Not found'))
    const after = voices.findIndex(({ id }) => id === url.searchParams.get('starting_after'))
    const to = after + 1 + Number(url.searchParams.get('limit') ?? 10)
    const has_more = to < voices.length
    sendJson(response, 200, { data: voices.slice(after + 1, to), has_more, next_page: null })
  })

  listening.server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url!, 'http://stand-in')
    const refuse = (status: string, headers = '') =>
      socket.end(`HTTP/1.1 ${status}\r\n${headers}content-length: 0\r\n\r\n`)
    if (!isAllowed(request.headers)) return refuse('401 Unauthorized')
    if (!state.isWell()) return refuse('503 Service Unavailable')
    if (url.pathname !== '/tts/websocket' || url.searchParams.get('cartesia_version') !== '2026-03-01') {
      return refuse('404 Not Found')
    }
    sockets.handleUpgrade(request, socket, head, (opened) => serve(opened))
  })

  const serve = (socket: WebSocket) => {
    const contexts = new Map<string, { cancelled: boolean }>()
    const end = (id: string) => {
      if (contexts.delete(id)) state.end()
    }
    socket.on('error', () => {})
    socket.on('close', () => {
      for (const id of [...contexts.keys()]) end(id)
    })
    socket.on('message', (data: Buffer) => {
      const request = JSON.parse(data.toString('utf8')) as Record<string, unknown>
      const context_id = String(request.context_id)
      const send = (message: object) => socket.send(JSON.stringify({ ...message, context_id }))
      if (request.cancel === true) {
        const context = contexts.get(context_id)
        if (context !== undefined) {
          context.cancelled = true
          end(context_id)
          state.noteGivenUp()
        }
        return
      }
      const context = { cancelled: false }
      contexts.set(context_id, context)
      const text = String(request.transcript)
      const model = String(request.model_id)
      const voice = (request.voice as { id: string }).id
      const how = state.begin({ text, model, voice, body: request })
      const fail = (status: number, code: string, title: string) => {
        send(errorOf(status, code, title))
        end(context_id)
      }
      const format = request.output_format as Record<string, unknown>
      const { speed = 1 } = (request.generation_config ?? {}) as { speed?: number }
      if (!models.includes(model)) return fail(404, 'model_not_found', 'Invalid model')
      if (!voices.some(({ id }) => id === voice)) return fail(404, 'voice_not_found', 'Invalid voice')
      if (text === '' || format.sample_rate !== sampleRateHz || speed < 0.6 || speed > 1.5) {
        return fail(400, 'invalid_request', 'Invalid request')
      }
      if (state.busy() > room || how === 'has no room')
        return fail(429, 'concurrency_limited', 'Too many concurrent requests')
      if (how === 'answers with an error') return fail(500, 'internal_error', 'Internal error')
      if (how === 'takes no key') return fail(401, standInKey, `Invalid key ${standInKey}`)
      if (how === 'has used up its quota') return fail(402, 'quota_exceeded', 'Out of credits')
      if (how === 'stalls before the first byte') return
      if (how === 'closes before the first byte') return socket.terminate()
      speak(socket, send, context, text, how).then(
        () => end(context_id),
        () => end(context_id),
      )
    })
  }

  return {
    ...listening,
    ...state.control,
    async close() {
      sockets.close()
      await listening.close()
    },
  }
}

const chunkOf = (data: string) => ({ type: 'chunk', data, done: false, status_code: 206, step_time: 12 })

const speak = async (
  socket: WebSocket,
  send: (message: object) => void,
  context: { cancelled: boolean },
  text: string,
  how: SpeechFault | undefined,
): Promise<void> => {
  const seconds = (at: number) => (at * msPerCharacter) / 1000
  if (how === 'sends nothing and ends') return send({ type: 'done', done: true, status_code: 206 })
  // Times come before the sound, as they may.
  const words = [...text.matchAll(/\S+/g)]
  send({
    type: 'timestamps',
    done: false,
    status_code: 206,
    word_timestamps: {
      words: words.map(([word]) => word),
      start: words.map(({ index }) => seconds(index)),
      end: words.map(({ 0: word, index }) => seconds(index + word.length)),
    },
  })
  const letters = [...text.matchAll(/[a-z]/gi)]
  send({
    type: 'phoneme_timestamps',
    done: false,
    status_code: 206,
    phoneme_timestamps: {
      phonemes: letters.map(() => 'ə'),
      start: letters.map(({ index }) => seconds(index)),
      end: letters.map(({ index }) => seconds(index + 1)),
    },
  })
  const pieces = piecesOf(text)
  for (const [i, { bytes }] of pieces.entries()) {
    if (how === 'dawdles') await delay(dawdleMs)
    if (context.cancelled) return
    const audio = bytes.toString('base64')
    if (i >= pieces.length / 2) {
      if (how === 'stalls in the middle') return new Promise(() => {})
      if (how === 'closes in the middle') return socket.terminate()
      if (how === 'ends before its end') return socket.close(1000)
      if (how === 'ends within a sample') {
        send(chunkOf(bytes.subarray(0, 101).toString('base64')))
        return send({ type: 'done', done: true, status_code: 206 })
      }
      if (how === 'sends half a group of Base64') return send(chunkOf(audio.slice(0, 101)))
      if (how === 'sends half a line of JSON') return socket.send(JSON.stringify(chunkOf(audio)).slice(0, 101))
      if (how === 'sends what is not JSON') return socket.send('<html>')
      if (how === 'sends JSON of another shape') return send({ type: 'chunk', data: 7 })
      if (how === 'sends bytes for text') return socket.send(bytes)
      if (how === 'sends JSON without an end') return socket.send(`{"type":"chunk","data":"${'A'.repeat(5_000_000)}"}`)
      if (how === 'sends half a frame') return sendHalfFrame(socket)
    }
    send(chunkOf(audio))
    await new Promise(setImmediate)
  }
  const flood = chunkOf(pieces[0]!.bytes.toString('base64'))
  while (how === 'floods' && !context.cancelled && socket.readyState === socket.OPEN) {
    send(flood)
    await new Promise(setImmediate)
  }
  send({ type: 'done', done: true, status_code: 206 })
}

/** The head of a text frame of 1,000 bytes with ten of them, and then nothing more. */
const sendHalfFrame = (socket: WebSocket) => {
  const { _socket: raw } = socket as unknown as { _socket: import('node:net').Socket }
  raw.end(Buffer.concat([Buffer.from([0x81, 126, 1000 >> 8, 1000 & 255]), Buffer.alloc(10, 'x')]))
}

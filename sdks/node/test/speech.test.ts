import { ParlanceError, type SpeechEvent } from '@parlance/server'
import { sendJson } from '@parlance/testing'
import type { WebSocket } from 'ws'
import { startStandIn } from './stand-in.js'

let standIn: Awaited<ReturnType<typeof startStandIn>>
afterEach(() => standIn.stop())

type Message = { event: string; text?: string; flush_id?: string; played_ms?: number }

/** What a socket does with the messages of its client, after `ready`. */
const speaking = (onMessage: (message: Message, socket: WebSocket) => void) => (socket: WebSocket) => {
  socket.on('message', (data) => onMessage(JSON.parse(String(data)), socket))
  send(socket, { event: 'ready' })
}
const send = (socket: WebSocket, message: object) => socket.send(JSON.stringify({ context_id: 'default', ...message }))
const sendAudio = (socket: WebSocket, seq: number, bytes = 4) => {
  const frame = Buffer.alloc(12 + bytes, seq)
  frame.writeUInt32BE(seq, 4)
  frame.writeUInt32BE(seq * 20, 8)
  socket.send(frame)
}
const started = {
  event: 'started',
  context_index: 1,
  output: { format: 'pcm_s16le', sample_rate: 24_000, bit_rate: null },
}
const done = { event: 'done', audio_duration_ms: 40, characters_billed: 5, ttfa_ms: 1 }

/** Speaks the whole text at its end. */
const speaksAtEnd = (texts: string[] = []) =>
  speaking(({ event, text = '' }, socket) => {
    if (event === 'start') send(socket, started)
    if (event === 'text') texts.push(text)
    if (event !== 'end') return
    for (const seq of [0, 1]) sendAudio(socket, seq)
    send(socket, done)
  })

const open = async (...sockets: ((socket: WebSocket) => void)[]) => {
  standIn = await startStandIn((_, response) => sendJson(response, 201, { token: 'awtt_test' }), sockets)
  return standIn.parlance()
}

const eventsOf = async (speech: AsyncIterable<SpeechEvent>) => {
  const events: SpeechEvent[] = []
  for await (const event of speech) events.push(event)
  return events
}

async function* tokens(count = 5) {
  for (let n = 0; n < count; n += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    yield `word${n} `
  }
}

test('the parts of an iterator are sent in order, and its speech is iterated', async () => {
  const texts: string[] = []
  const parlance = await open(speaksAtEnd(texts))
  const events = await eventsOf(parlance.streamSpeech(tokens(), { voice_id: 'v' }))
  expect(events.map(({ event }) => event)).toEqual(['started', 'audio', 'audio', 'done'])
  expect(events[2]).toMatchObject({ seq: 1, start_ms: 20, data: new Uint8Array(4).fill(1) })
  expect(texts.join('')).toBe('word0 word1 word2 word3 word4 ')
})

test('a connection that is lost before the first audio is replaced, and the text is sent again', async () => {
  const texts: string[] = []
  const parlance = await open(
    speaking(({ event }, socket) => {
      if (event === 'start') send(socket, started)
      if (event === 'text') socket.terminate()
    }),
    speaking(({ event }, socket) => {
      if (event === 'start')
        send(socket, { event: 'error', code: 'capacity_exhausted', retryable: true, detail: 'Busy.' })
    }),
    speaksAtEnd(texts),
  )
  const events = await eventsOf(parlance.streamSpeech(tokens(), { voice_id: 'v' }))
  expect(events.map(({ event }) => event)).toEqual(['started', 'audio', 'audio', 'done'])
  expect(texts.join('')).toBe('word0 word1 word2 word3 word4 ')
  expect(standIn.requests.filter(({ url }) => url === '/v1/tts/stream-tokens').length).toBe(3)
})

test('a connection that is lost after the first audio is an error', async () => {
  const parlance = await open(
    speaking(({ event }, socket) => {
      if (event !== 'start') return
      send(socket, started)
      sendAudio(socket, 0)
      socket.close(1011, 'failed')
    }),
  )
  const events: string[] = []
  const reading = async () => {
    for await (const { event } of parlance.streamSpeech('Hello.', { voice_id: 'v' })) events.push(event)
  }
  await expect(reading()).rejects.toThrow(ParlanceError)
  expect(events).toEqual(['started', 'audio'])
})

test('cancel stops the speech inside of the loop, drops the audio that was not read, and returns the rest of the text', async () => {
  const cancelled = { event: 'cancelled', characters_billed: 5, text_spoken: 'Hello', text_remaining: ' there' }
  const messages: Message[] = []
  const parlance = await open(
    speaking((message, socket) => {
      messages.push(message)
      if (message.event === 'text') for (let seq = 0; seq < 20; seq += 1) sendAudio(socket, seq)
      if (message.event === 'cancel') send(socket, cancelled)
    }),
  )
  const speech = parlance.streamSpeech('Hello there', { voice_id: 'v' })
  const events: string[] = []
  for await (const { event } of speech) {
    events.push(event)
    if (event === 'audio') expect(await speech.cancel(120)).toMatchObject(cancelled)
  }
  expect(events).toEqual(['audio', 'cancelled'])
  expect(messages.at(-1)).toMatchObject({ event: 'cancel', played_ms: 120 })
})

test('to leave the loop closes the connection and the iterator of the text', async () => {
  let isClosed = (_value: unknown) => {}
  const closed = new Promise((resolve) => {
    isClosed = resolve
  })
  let isReturned = (_value: unknown) => {}
  const returned = new Promise((resolve) => {
    isReturned = resolve
  })
  async function* endless() {
    try {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        yield 'on and on '
      }
    } finally {
      isReturned(true)
    }
  }
  const parlance = await open(
    speaking(({ event }, socket) => {
      socket.once('close', isClosed)
      if (event === 'text') sendAudio(socket, 0)
    }),
  )
  for await (const _audio of parlance.streamSpeech(endless(), { voice_id: 'v' }).audio()) break
  await Promise.all([closed, returned])
})

test('an error of the iterator and the reason of a signal reach the reader', async () => {
  const parlance = await open(speaksAtEnd(), speaksAtEnd())
  async function* failing() {
    yield 'Hello '
    throw new RangeError('the model failed')
  }
  await expect(eventsOf(parlance.streamSpeech(failing(), { voice_id: 'v' }))).rejects.toThrow(RangeError)
  const controller = new AbortController()
  async function* aborting() {
    yield 'Hello '
    controller.abort(new Error('enough'))
    await new Promise(() => {})
  }
  const speech = parlance.streamSpeech(aborting(), { voice_id: 'v', signal: controller.signal })
  await expect(eventsOf(speech)).rejects.toThrow('enough')
})

test('a long text is sent no faster than it is spoken', async () => {
  const sentence = `${'word '.repeat(19)}end. `
  const text = sentence.repeat(150)
  let waiting = 0
  let mostWaiting = 0
  let received = ''
  const parlance = await open(
    speaking(({ event, text: part = '', flush_id }, socket) => {
      received += part
      waiting += part.length
      mostWaiting = Math.max(mostWaiting, waiting)
      if (event === 'flush') {
        expect(received.endsWith('. ')).toBe(true)
        // Spoken a little later.
        setTimeout(() => {
          waiting = received.length - Number(flush_id)
          send(socket, { event: 'flushed', flush_id })
        }, 30)
      }
      if (event === 'end') send(socket, done)
    }),
  )
  await eventsOf(parlance.streamSpeech([...text.match(/\S+ /g)!], { voice_id: 'v' }))
  expect(received).toBe(text)
  expect(mostWaiting).toBeLessThanOrEqual(8_000)
})

test('the socket is not read while the reader of the speech is slow', async () => {
  const total = 4_000
  let sent = 0
  let isStalled = (_value: unknown) => {}
  const stalled = new Promise((resolve) => {
    isStalled = resolve
  })
  const parlance = await open(
    speaking(async ({ event }, socket) => {
      if (event !== 'end') return
      for (; sent < total; sent += 1) {
        sendAudio(socket, sent, 8_192)
        // What the kernels of both sides hold is less than this.
        if (socket.bufferedAmount > 1024 * 1024) isStalled(true)
        while (socket.bufferedAmount > 1024 * 1024) await new Promise((resolve) => setTimeout(resolve, 5))
      }
      send(socket, done)
    }),
  )
  let read = 0
  for await (const _audio of parlance.streamSpeech('Hello.', { voice_id: 'v' }).audio()) {
    read += 1
    if (read === 1) {
      await stalled
      expect(sent).toBeLessThan(total)
    }
  }
  expect(read).toBe(total)
})

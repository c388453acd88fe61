import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type LocalServer, startLocalServer } from '../local-server.js'
import { createFaults, type Faults, standInKey } from './faults.js'

/** What is published of the parameters; the original refuses values that it does not know, and so does this. */
const parameters: Readonly<Record<string, RegExp>> = {
  model: /^nova-[23](-[a-z]+)?$/,
  language: /^(multi|[a-z]{2,3})$/,
  encoding: /^linear16$/,
  sample_rate: /^16000$/,
  channels: /^1$/,
  interim_results: /^(true|false)$/,
  punctuate: /^(true|false)$/,
  smart_format: /^(true|false)$/,
  endpointing: /^(false|\d+)$/,
}

/** Of `/v2/listen`. */
const fluxParameters: Readonly<Record<string, RegExp>> = {
  model: /^flux-general-(en|multi)$/,
  encoding: /^linear16$/,
  sample_rate: /^16000$/,
  language_hint: /^(en|de|es|fr|hi|it|ja|nl|pt|ru)$/,
}

export type DeepgramFault =
  | 'answers with a web page'
  | 'does not open'
  | 'redirects'
  | 'hangs up'
  | 'fails'
  | 'takes no key'
  | 'has no credit left'
  | 'has no room'
  | 'does not know the model'
  | 'does not answer'
  | 'hangs up in the middle'
  | 'closes in the middle'
  | 'cannot read the audio'
  | 'falls silent'
  | 'is restarted'
  | 'floods with words'
  | 'sends a message without an end'
  | 'sends half a message'
  | 'sends a message of no type'
  | 'answers in another shape'
  | 'answers in bytes'
  | 'reports an error'

export interface ReceivedUtterance {
  readonly parameters: Readonly<Record<string, string>>
  /** All that it was sent. */
  readonly samples: number[]
  /** The types of the messages it was sent, in order. */
  readonly messages: string[]
}

export interface DeepgramStandIn
  extends Pick<Faults<DeepgramFault>, 'misbehave'>,
    Pick<LocalServer, 'allClosed' | 'close'> {
  /** With the version. */
  readonly url: string
  /** One for each socket that was asked for, in order. */
  readonly utterances: ReceivedUtterance[]
  /** How many requests came to where a redirect points. */
  followed(): number
  /** Resolves when a socket is, or was, asked for. */
  opened(): Promise<void>
}

const statuses: Partial<Record<DeepgramFault, [status: number, headers: string, body: string]>> = {
  'answers with a web page': [200, 'content-type: text/html', `<html>${standInKey}, and private words</html>`],
  redirects: [302, 'location: /elsewhere', ''],
  fails: [503, 'dg-error: private words', ''],
  'takes no key': [401, 'dg-error: Invalid credentials', `{"err_code":"INVALID_AUTH","err_msg":"no, ${standInKey}"}`],
  'has no credit left': [402, 'dg-error: Payment required', '{"err_code":"ASR_PAYMENT_REQUIRED"}'],
  'has no room': [429, 'dg-error: Too many requests', '{"err_code":"TOO_MANY_REQUESTS"}'],
  'does not know the model': [400, 'dg-error: No such model', '{"err_code":"Bad Request"}'],
}

const refuse = (socket: Duplex, [status, headers, body]: [number, string, string]) =>
  socket.end(
    `HTTP/1.1 ${status} Status\r\n${headers}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )

/** How an open socket misbehaves once there is audio. */
const ways: Partial<Record<DeepgramFault, (socket: WebSocket) => void>> = {
  'does not answer': () => {},
  'hangs up in the middle': (socket) => socket.terminate(),
  'closes in the middle': (socket) => socket.close(1000),
  'cannot read the audio': (socket) => socket.close(1008, 'DATA-0000'),
  'falls silent': (socket) => socket.close(1011, 'NET-0000'),
  'is restarted': (socket) => socket.close(1013, 'private words'),
  'floods with words': (socket) => {
    const message = JSON.stringify(results('la '.repeat(50_000), false))
    const more = () => socket.readyState === socket.OPEN && socket.send(message, more)
    more()
  },
  'sends a message without an end': (socket) => socket.send(`{"type": "Results", "la": "${'la '.repeat(200_000)}"}`),
  'sends half a message': (socket) =>
    socket.send('{"type": "Results", "channel": {"alternatives": [{"transcript": "private wor'),
  'sends a message of no type': (socket) => socket.send('["private words"]'),
  'answers in another shape': (socket) =>
    socket.send('{"type": "Results", "is_final": true, "channel": "private words"}'),
  'answers in bytes': (socket) => socket.send(Buffer.from('private words')),
  'reports an error': (socket) =>
    socket.send('{"type": "Error", "description": "private words", "message": "la la", "variant": "X"}'),
}

/** Each word takes 100 ms. */
const wordsOf = (transcript: string) =>
  transcript
    .split(' ')
    .filter((word) => word !== '')
    .map((word, n) => ({
      ...{ word: word.toLowerCase().replace('.', ''), punctuated_word: word, confidence: 0.9 },
      ...{ start: n / 10, end: (n + 1) / 10 },
    }))

const results = (transcript: string, isFinal: boolean, more: object = {}) => ({
  type: 'Results',
  channel_index: [0, 1],
  duration: 1,
  start: 0,
  is_final: isFinal,
  speech_final: false,
  channel: { alternatives: [{ transcript, confidence: 0.9, words: wordsOf(transcript) }] },
  metadata: { request_id: 'a-request' },
  ...more,
})

const loudest = (samples: Int16Array) => samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)

/** A word for each tenth of a second of sound. */
const samplesPerWord = 1600
const pauseSamples = 4800
/** A socket that is sent neither audio nor `KeepAlive` for so long is closed. */
const silenceMs = 10_000

/**
 * Recognizes one word after the other while there is sound, with interim results. A pause makes the results final, and the words
 * begin again with the first.
 */
const listen = (socket: WebSocket, words: readonly string[], received: ReceivedUtterance) => {
  let soundSamples = 0
  let quietSamples = 0
  let reported = ''
  let timer: NodeJS.Timeout
  const send = (message: object) => socket.send(JSON.stringify(message))
  const text = () => words.slice(0, Math.ceil(soundSamples / samplesPerWord)).join(' ')
  const restartSilenceTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.close(1011, 'NET-0001'), silenceMs)
  }
  /** Everything that was not final yet. */
  const flush = (more: object) => {
    if (reported === '' && text() === '') return
    send(results(text(), true, more))
    soundSamples = 0
    reported = ''
  }
  const receiveAudio = (samples: Int16Array) => {
    received.samples.push(...samples)
    const isSound = loudest(samples) > 500
    if (isSound && soundSamples === 0) send({ type: 'SpeechStarted', channel: [0], timestamp: 0 })
    quietSamples = isSound ? 0 : quietSamples + samples.length
    if (isSound) soundSamples += samples.length
    if (quietSamples >= pauseSamples) return flush({ speech_final: true })
    if (text() === reported) return
    reported = text()
    send(results(reported, false))
  }
  const answer = (type: string) => {
    received.messages.push(type)
    // Without new text it is not answered, which the original does not promise either.
    if (type === 'Finalize') flush({ from_finalize: true })
    if (type !== 'CloseStream') return
    flush({})
    send({ type: 'Metadata', transaction_key: 'deprecated', request_id: 'a-request', duration: 1, channels: 1 })
    socket.close(1000)
  }
  socket.on('message', (data: Buffer, isBinary) => {
    restartSilenceTimer()
    if (!isBinary) return answer(JSON.parse(data.toString('utf8')).type)
    if (data.length === 0) return socket.close(1008, 'DATA-0000')
    receiveAudio(new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length)))
  })
  socket.on('close', () => clearTimeout(timer))
  restartSilenceTimer()
}

/** The interval of `Update`, of audio. */
const updateSamples = 4000

/** Flux: recognizes one word after the other while there is sound. A pause ends the turn, and the words begin again with the first. */
const listenToTurns = (socket: WebSocket, words: readonly string[], received: ReceivedUtterance) => {
  let heardSamples = 0
  let soundSamples = 0
  let quietSamples = 0
  let updatedAt = 0
  let sequence_id = 0
  let turn_index = 0
  const send = (message: object) =>
    socket.send(JSON.stringify({ request_id: 'a-request', sequence_id: sequence_id++, ...message }))
  const turnInfo = (event: string, more: object = {}) => {
    updatedAt = heardSamples
    const transcript = words.slice(0, Math.ceil(soundSamples / samplesPerWord)).join(' ')
    const window = { audio_window_start: 0, audio_window_end: heardSamples / 16_000 }
    send({
      type: 'TurnInfo',
      event,
      turn_index,
      ...window,
      transcript,
      words: [],
      end_of_turn_confidence: 0.1,
      ...more,
    })
  }
  const receiveAudio = (samples: Int16Array) => {
    received.samples.push(...samples)
    heardSamples += samples.length
    const isSound = loudest(samples) > 500
    const begins = isSound && soundSamples === 0
    quietSamples = isSound ? 0 : quietSamples + samples.length
    if (isSound) soundSamples += samples.length
    if (begins) return turnInfo('StartOfTurn')
    if (soundSamples > 0 && quietSamples >= pauseSamples) {
      turnInfo('EndOfTurn', { trigger: 'model' })
      soundSamples = 0
      turn_index++
    } else if (heardSamples - updatedAt >= updateSamples) turnInfo('Update')
  }
  send({ type: 'Connected' })
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return receiveAudio(new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length)))
    const { type } = JSON.parse(data.toString('utf8'))
    received.messages.push(type)
    if (type === 'CloseStream') return socket.close(1000)
    send({ type: 'Error', code: 'UNPARSABLE_CLIENT_MESSAGE', description: 'private words' })
  })
}

const whatIsWrong = (
  { headers }: IncomingMessage,
  asked: URLSearchParams,
  parameters: Readonly<Record<string, RegExp>>,
): DeepgramFault | undefined => {
  if (headers.authorization !== `Token ${standInKey}`) return 'takes no key'
  const unknown = [...asked].some(([name, value]) => !parameters[name]?.test(value))
  return unknown ? 'does not know the model' : undefined
}

export const startDeepgramStandIn = async (words: readonly string[]): Promise<DeepgramStandIn> => {
  const utterances: ReceivedUtterance[] = []
  const faults = createFaults<DeepgramFault>()
  let followed = 0
  let onOpened = () => {}
  const { server, url, allClosed, close } = await startLocalServer((_request, response) =>
    response.writeHead(404).end(),
  )
  const sockets = new WebSocketServer({ noServer: true })

  const standIn: DeepgramStandIn = {
    url: `${url.replace('http', 'ws')}/v1`,
    utterances,
    misbehave: faults.misbehave,
    followed: () => followed,
    opened: () =>
      new Promise((resolve) => {
        onOpened = () => utterances.length > 0 && resolve()
        onOpened()
      }),
    allClosed,
    close,
  }

  server.on('upgrade', (request, connection, head) => {
    connection.on('end', () => connection.end())
    connection.resume()
    const { pathname, searchParams } = new URL(request.url ?? '', standIn.url)
    const isFlux = pathname === '/v2/listen'
    if (pathname !== '/v1/listen' && !isFlux) {
      followed++
      return refuse(connection, [404, 'dg-error: Not found', ''])
    }
    const one: ReceivedUtterance = { parameters: Object.fromEntries(searchParams), samples: [], messages: [] }
    utterances.push(one)
    onOpened()
    const how = faults.next() ?? whatIsWrong(request, searchParams, isFlux ? fluxParameters : parameters)
    if (how === 'does not open') return
    if (how === 'hangs up') return connection.destroy()
    const refusal = how && statuses[how]
    if (refusal !== undefined) return refuse(connection, refusal)
    sockets.handleUpgrade(request, connection, head, (socket) => {
      socket.on('error', () => {})
      const way = how && ways[how]
      if (way === undefined) (isFlux ? listenToTurns : listen)(socket, words, one)
      else socket.once('message', () => way(socket))
    })
  })
  return standIn
}

/**
 * A TCP server for clients of the Wyoming protocol, such as Home Assistant. The protocol has no authentication: all clients use one
 * key of a workspace.
 *
 * Each speech is a connection to `/v1/tts/stream` of this gateway, and each recognition one to `/v1/listen`, with a token that the
 * key mints. So limits, bills and revocation are those of every other client with that key.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Client } from '@parlance/bus'
import {
  type catalogContract,
  type ListenServerMessage,
  listenProtocol,
  ServiceError,
  type StreamServerMessage,
  streamFrameHeaderBytes,
  streamProtocol,
  toServiceError,
  type transcriptionContract,
  wordSeparator,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import { type RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { parseRequest } from '../http/parsed-request.js'
import { allVoices } from '../routes/catalog/listed-models.js'
import { listenPath } from '../stream/listen-streams.js'
import { streamPath } from '../stream/speech-streams.js'
import { createWyomingReader, type WyomingEvent, wyomingBytes, wyomingInfo } from './wyoming-event.js'

interface WyomingServerOptions {
  readonly host: string
  readonly port: number
  readonly apiKey: string
  /** Of this gateway, such as `http://127.0.0.1:8080`. */
  readonly gatewayUrl: string
  readonly version: string
  readonly catalog: Pick<Client<typeof catalogContract>, 'findVoice' | 'listVoices'>
  readonly transcription: Pick<Client<typeof transcriptionContract>, 'listRecognizers'>
  readonly logger: Logger
}

interface WyomingServer {
  readonly port: number
  /** Accepts no more connections. Those that are left end with their streams, or after this time. */
  stop(withinMs: number): Promise<void>
}

const maxConnections = 100
/** Home Assistant keeps no connection open between requests. */
const idleMs = 10 * 60_000
const maxTextLength = 4_000
const maxAudioBytes = 64 * 1024

const voiceSchema = z
  .object({ name: z.string().nullish(), language: z.string().nullish(), speaker: z.string().nullish() })
  .nullish()
  .transform((voice) => ({ name: voice?.name ?? undefined, language: voice?.language ?? undefined }))
const synthesizeSchema = z.object({ text: z.string(), voice: voiceSchema })
const synthesizeStartSchema = z.object({ voice: voiceSchema })
const synthesizeChunkSchema = z.object({ text: z.string() })
const transcribeSchema = z.object({ name: z.string().nullish(), language: z.string().nullish() })
const audioStartSchema = z.object({
  rate: z.int().min(8_000).max(48_000),
  width: z.literal(2, { error: 'must be 2: samples are 16 bits' }),
  channels: z.literal(1, { error: 'must be 1' }),
})

/** A connection to a WebSocket of this gateway, to which messages may be sent before it is open. */
interface Upstream {
  send(message: object | Uint8Array): void
  close(): void
}

type Catalog = WyomingServerOptions['catalog']

/** The voice that a client names by its id or its name, or the best that speaks its language; the best of all without either. */
const findVoice = async (
  { findVoice: find, listVoices }: Catalog,
  { name, language }: z.output<typeof voiceSchema>,
): Promise<{ readonly voice_id: string; readonly language?: string }> => {
  if (name !== undefined) return { voice_id: (await find({ voice: name })).id }
  if (language === undefined) return { voice_id: (await listVoices({ limit: 1 })).voices[0]!.id }
  const tag = language.replaceAll('_', '-')
  for (const spoken of [tag, tag.split('-')[0]!]) {
    const [voice] = (await listVoices({ limit: 1, language: spoken })).voices
    if (voice !== undefined) return { voice_id: voice.id, language: spoken }
  }
  throw new ServiceError('voice_not_found', `No voice speaks "${language}".`)
}

interface ConnectionOptions extends Omit<WyomingServerOptions, 'host' | 'port'> {
  readonly socket: Socket
}

const serveConnection = ({
  socket,
  apiKey,
  gatewayUrl,
  version,
  catalog,
  transcription,
  logger,
}: ConnectionOptions) => {
  const upstreams = new Set<Upstream>()

  const write = (event: WyomingEvent): boolean => socket.writable && socket.write(wyomingBytes(event))
  const sendError = (thrown: unknown): void => {
    const { code, detail, cause } = toServiceError(thrown)
    if (cause !== undefined) logger.error({ err: thrown }, 'A request over the Wyoming protocol failed')
    write({ type: 'error', data: { text: detail, code } })
  }

  const mint = async (path: string, body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(gatewayUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = (await response.json()) as { token: string; code: ServiceError['code']; detail: string }
    if (!response.ok) throw new ServiceError(answer.code, answer.detail)
    return answer.token
  }

  /** `onMessage` is called with all messages but errors. The connection is closed after an error and after `done`. */
  const connect = <Message extends { readonly event: string }>(
    { path, tokens, protocol }: { readonly path: string; readonly tokens: string; readonly protocol: string },
    onMessage: (message: Exclude<Message, { event: 'error' }>) => void,
    onAudio: (bytes: Buffer) => void = () => {},
  ): Upstream => {
    const waiting: (object | Uint8Array)[] = []
    let webSocket: WebSocket | undefined
    let isClosed = false
    const put = (message: object | Uint8Array) =>
      webSocket?.send(message instanceof Uint8Array ? message : JSON.stringify(message))
    const upstream: Upstream = {
      send: (message) => void (webSocket?.readyState === WebSocket.OPEN ? put(message) : waiting.push(message)),
      close() {
        isClosed = true
        upstreams.delete(upstream)
        webSocket?.close()
      },
    }
    const open = async (): Promise<void> => {
      const token = await mint(tokens, {})
      if (isClosed) return
      webSocket = new WebSocket(gatewayUrl.replace(/^http/, 'ws') + path, protocol, {
        headers: { authorization: `Bearer ${token}` },
        perMessageDeflate: false,
      })
      webSocket.on('message', (data: RawData, isBinary) => {
        if (isClosed) return
        if (isBinary) onAudio(data as Buffer)
        else {
          const message = JSON.parse(String(data))
          if (message.event === 'error') sendError(new ServiceError(message.code, message.detail))
          else onMessage(message)
          if (message.event === 'error' || message.event === 'done') upstream.close()
        }
        if (!socket.writableNeedDrain) return
        webSocket?.pause()
        socket.once('drain', () => webSocket?.resume())
      })
      await once(webSocket, 'open')
      for (const message of waiting.splice(0)) put(message)
      await once(webSocket, 'close')
      if (!isClosed) throw new ServiceError('upstream_error', 'The connection was lost. Try again.')
    }
    upstreams.add(upstream)
    open().catch((error: unknown) => {
      if (!isClosed) sendError(error)
      upstream.close()
    })
    return upstream
  }

  /** The speech in progress. `isStreamed` for a text that comes in parts. */
  let speech: (Upstream & { readonly isStreamed: boolean }) | undefined

  const openSpeech = async (wanted: z.output<typeof voiceSchema>, isStreamed: boolean) => {
    const voice = await findVoice(catalog, wanted)
    const format = { rate: 0, width: 2, channels: 1 }
    const upstream = connect<StreamServerMessage>(
      { path: streamPath, tokens: '/v1/tts/stream-tokens', protocol: streamProtocol },
      (message) => {
        if (message.event === 'started') {
          format.rate = message.output.sample_rate
          write({ type: 'audio-start', data: format })
        }
        if (message.event === 'done') {
          write({ type: 'audio-stop' })
          if (isStreamed) write({ type: 'synthesize-stopped' })
        }
      },
      (frame) => write({ type: 'audio-chunk', data: format, payload: frame.subarray(streamFrameHeaderBytes) }),
    )
    upstream.send({
      ...{ event: 'start', audio_frames: 'binary', output: { format: 'pcm_s16le' } },
      ...voice,
    })
    return { ...upstream, isStreamed }
  }

  const addText = (to: Upstream, text: string): void => {
    for (let at = 0; at < text.length; at += maxTextLength) {
      to.send({ event: 'text', text: text.slice(at, at + maxTextLength) })
    }
  }

  let wanted: z.output<typeof transcribeSchema> = {}
  let recognition: Upstream | undefined

  const openRecognition = ({ rate }: z.output<typeof audioStartSchema>): Upstream => {
    let heard = ''
    let language = ''
    const upstream = connect<ListenServerMessage>(
      { path: listenPath, tokens: '/v1/listen/tokens', protocol: listenProtocol },
      (message) => {
        if (message.event === 'started') {
          language = message.language
          write({ type: 'transcript-start', data: { language } })
        }
        if (message.event === 'transcript' && message.final && message.text !== '') {
          const text = heard === '' ? message.text : wordSeparator(language) + message.text
          write({ type: 'transcript-chunk', data: { text } })
          heard += text
        }
        if (message.event === 'done') {
          write({ type: 'transcript', data: { text: heard, language } })
          write({ type: 'transcript-stop' })
        }
      },
    )
    upstream.send({
      ...{ event: 'start', encoding: 'pcm_s16le', sample_rate: rate },
      ...(wanted.name && { model: wanted.name }),
      ...(wanted.language && { language: wanted.language }),
    })
    wanted = {}
    return upstream
  }

  const describe = async (): Promise<void> => {
    const [voices, { recognizers }] = await Promise.all([
      allVoices(catalog, {}).catch(() => []),
      transcription.listRecognizers({}).catch(() => ({ recognizers: [] })),
    ])
    write({ type: 'info', data: wyomingInfo({ version, voices, recognizers }) })
  }

  const handle = async ({ type, data, payload = Buffer.alloc(0) }: WyomingEvent): Promise<void> => {
    switch (type) {
      case 'describe':
        return describe()
      case 'ping':
        write({ type: 'pong', data: { text: data?.text ?? null } })
        return
      case 'synthesize': {
        // Clients that send a text in parts also send it as a whole, for servers without streams.
        if (speech?.isStreamed) return
        const { text, voice } = parseRequest(synthesizeSchema, data)
        const whole = await openSpeech(voice, false)
        addText(whole, text)
        whole.send({ event: 'end' })
        return
      }
      case 'synthesize-start':
        speech = await openSpeech(parseRequest(synthesizeStartSchema, data).voice, true)
        return
      case 'synthesize-chunk':
        if (speech !== undefined) addText(speech, parseRequest(synthesizeChunkSchema, data).text)
        return
      case 'synthesize-stop':
        speech?.send({ event: 'end' })
        speech = undefined
        return
      case 'transcribe':
        wanted = parseRequest(transcribeSchema, data)
        return
      case 'audio-start':
        recognition?.close()
        recognition = openRecognition(parseRequest(audioStartSchema, data))
        return
      case 'audio-chunk':
        for (let at = 0; at < payload.length; at += maxAudioBytes) {
          recognition?.send(payload.subarray(at, at + maxAudioBytes))
        }
        return
      case 'audio-stop':
        recognition?.send({ event: 'close' })
        recognition = undefined
    }
  }

  let handled = Promise.resolve()
  const read = createWyomingReader((event) => {
    handled = handled.then(() => handle(event)).catch(sendError)
  })
  socket.on('data', (bytes: Buffer) => {
    try {
      read(bytes)
    } catch (error) {
      sendError(error)
      socket.end()
    }
  })
  socket.setTimeout(idleMs, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    for (const upstream of upstreams) upstream.close()
  })
  return { isIdle: () => upstreams.size === 0 }
}

/** Resolves when the server listens. Rejects with the system's error when it cannot. */
export const openWyomingServer = async (options: WyomingServerOptions): Promise<WyomingServer> => {
  const { host, port, logger } = options
  const connections = new Map<Socket, { isIdle(): boolean }>()
  const server = createServer((socket) => {
    connections.set(socket, serveConnection({ ...options, socket }))
    socket.once('close', () => connections.delete(socket))
  })
  server.maxConnections = maxConnections
  server.listen(port, host)
  await once(server, 'listening')
  const { port: listensOn } = server.address() as AddressInfo
  logger.info({ host, port: listensOn }, 'The Wyoming protocol is served')

  return {
    port: listensOn,
    async stop(withinMs) {
      const closed = once(server, 'close')
      server.close()
      const endIdle = () => {
        for (const [socket, { isIdle }] of connections) if (isIdle()) socket.end()
      }
      endIdle()
      const ending = setInterval(endIdle, 50)
      const cut = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy()
      }, withinMs)
      await closed
      clearInterval(ending)
      clearTimeout(cut)
    },
  }
}

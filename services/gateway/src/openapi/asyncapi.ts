/** The protocols of WebSockets and data channels as AsyncAPI 3, generated from the schemas that check messages. */
import {
  listenClientMessageSchema,
  listenLimits,
  listenProtocol,
  listenServerMessageSchema,
  realtimeChannelLabel,
  realtimeClientEventSchema,
  realtimeLimits,
  realtimePath,
  realtimeServerEventSchema,
  realtimeTranscriptionEventSchema,
  sessionChannelLabel,
  sessionClientEventSchema,
  sessionCloseCodes,
  sessionEventLimits,
  sessionProtocol,
  sessionServerEventSchema,
  streamClientMessageSchema,
  streamCloseCodes,
  streamFrameHeaderBytes,
  streamLimits,
  streamProtocol,
  streamServerMessageSchema,
  streamTokenProtocolPrefix,
} from '@parlance/contracts'
import { z } from 'zod'
import { sessionSocketPath } from '../session-socket/session-sockets.js'
import { listenPath } from '../stream/listen-streams.js'
import { streamPath } from '../stream/speech-streams.js'
import { title } from './document.js'

interface Messages {
  readonly options: readonly z.ZodObject[]
}

/** What the gateway or an instance of the sessions service receives, or what it sends. */
type Action = 'receive' | 'send'

/** A JSON Schema of draft 7, the dialect of AsyncAPI. */
const schemaOf = (schema: z.ZodType, action: Action) => {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: action === 'receive' ? 'input' : 'output',
    override: ({ jsonSchema }) => {
      // Later versions may send further fields.
      if (action === 'send') delete jsonSchema.additionalProperties
      // The limit of every integer in JavaScript.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return jsonSchema
}

/** `session.ready` → `sessionReady`. */
const camelCase = (name: string) => name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

/** The messages of a protocol by their keys in the document. */
const textMessages = (protocol: string, { options }: Messages, action: Action) =>
  Object.fromEntries(
    options.map((option) => {
      const event = String(((option.shape.event ?? option.shape.type) as z.ZodLiteral).value)
      const { description, ...payload } = schemaOf(option, action)
      const direction = action === 'receive' ? 'FromClient' : 'ToClient'
      return [
        camelCase(`${protocol}_${event}`) + direction,
        { name: event, title: event, summary: description, contentType: 'application/json', payload },
      ]
    }),
  )

const binaryMessage = (name: string, summary: string, description: string) => ({
  name,
  title: name,
  summary,
  description,
  contentType: 'application/octet-stream',
  payload: { type: 'string', format: 'binary' },
})

const streamAudio = binaryMessage(
  'binary audio',
  'Audio as a binary frame, for contexts with `audio_frames` `binary`.',
  `A header of ${streamFrameHeaderBytes} bytes, big-endian, and the audio: version (u8, 1), kind (u8, 1 for audio), ` +
    'context_index (u16, as in `started`), seq (u32, counts the frames of the context from 0), start_ms (u32, on the clock of ' +
    'the context).',
)

const conversationAudio = binaryMessage(
  'binary audio',
  'Audio as a binary frame.',
  'Mono `pcm_s16le` of 24 kHz: 20 ms, or 960 bytes, in each frame.',
)

const listenAudio = binaryMessage(
  'binary audio',
  'Audio as a binary frame.',
  'Mono audio in the encoding of `start`, of any length up to the limit.',
)

const closeCodeMeanings: Record<keyof typeof sessionCloseCodes, string> = {
  tokenInvalid: 'The token is missing, unknown, expired or used, or its key was revoked.',
  insufficientCredit: 'The workspace has no credit left.',
  forbidden: 'The workspace is suspended or lacks the capability.',
  timedOut: 'The client sent nothing for the inactivity timeout, or read nothing for 30 s.',
  rateLimited: 'The client sent too many messages, or the workspace has too many connections.',
  notFound: 'There is no such conversation.',
  ended: 'The conversation is over.',
}

const closeCodes = (codes: Partial<typeof sessionCloseCodes>, normal: string) => ({
  1000: normal,
  1001: 'The server stops. Connect again.',
  1007: 'A text frame was not valid UTF-8.',
  1009: 'A message was larger than the limit.',
  1011: 'The server failed.',
  ...Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [code, closeCodeMeanings[name as keyof typeof sessionCloseCodes]]),
  ),
})

const list = (values: object) =>
  Object.entries(values)
    .map(([name, value]) => `- \`${name}\`: ${value}`)
    .join('\n')

const tokenDescription = (protocol: string) =>
  `Offer the subprotocols \`${protocol}\` and \`${streamTokenProtocolPrefix}<token>\`, or send the token as \`Authorization: Bearer\` ` +
  'or as `?token=`. A refused token is sent as an `error` on the open socket, which is then closed with the code. Overload and a ' +
  'stopping server refuse the upgrade with 503 and `Retry-After`.'

const queryOf = (properties: object) => ({
  ws: { method: 'GET', query: { type: 'object', properties }, bindingVersion: '0.1.0' },
})
const tokenParameter = { token: { type: 'string', description: 'The token, for clients that cannot set headers.' } }

const streamQuery = {
  ...tokenParameter,
  inactivity_timeout: {
    type: 'number',
    minimum: 5,
    maximum: 180,
    default: streamLimits.inactivity_timeout_seconds,
    description: 'In seconds.',
  },
}

const references = (channel: string, keys: readonly string[]) =>
  keys.map((key) => ({ $ref: `#/channels/${channel}/messages/${key}` }))

const channelOf = (
  name: string,
  { receives, sends, ...channel }: { receives: object; sends: object } & Record<string, unknown>,
) => ({
  channel: {
    ...channel,
    messages: Object.fromEntries(
      Object.keys({ ...receives, ...sends }).map((key) => [key, { $ref: `#/components/messages/${key}` }]),
    ),
  },
  operations: {
    [`${name}Receive`]: {
      action: 'receive',
      channel: { $ref: `#/channels/${name}` },
      summary: 'What a client may send.',
      messages: references(name, Object.keys(receives)),
    },
    [`${name}Send`]: {
      action: 'send',
      channel: { $ref: `#/channels/${name}` },
      summary: 'What a client receives.',
      messages: references(name, Object.keys(sends)),
    },
  },
})

export const createAsyncapiDocument = () => {
  const fromStreamClient = textMessages('stream', streamClientMessageSchema as Messages, 'receive')
  const toStreamClient = textMessages('stream', streamServerMessageSchema as Messages, 'send')
  const fromListenClient = textMessages('listen', listenClientMessageSchema as Messages, 'receive')
  const toListenClient = textMessages('listen', listenServerMessageSchema as Messages, 'send')
  const fromConversationClient = textMessages('conversation', sessionClientEventSchema as Messages, 'receive')
  const toConversationClient = textMessages('conversation', sessionServerEventSchema as Messages, 'send')
  const [transcriptionUpdate] = realtimeTranscriptionEventSchema.options
  const fromRealtimeClient = {
    ...textMessages('realtime', realtimeClientEventSchema as Messages, 'receive'),
    ...textMessages('transcription', { options: [transcriptionUpdate] }, 'receive'),
  }
  const toRealtimeClient = textMessages('realtime', realtimeServerEventSchema as Messages, 'send')
  const audio = { conversationAudio }
  const streamCodes = closeCodes(streamCloseCodes, 'The client asked for it, or the maximum duration was reached.')
  const conversationCodes = closeCodes(sessionCloseCodes, 'The conversation is over.')

  const channels = {
    streamSpeech: channelOf('streamSpeech', {
      address: streamPath,
      title: 'Stream speech',
      summary: 'Text goes in while it is being written, speech comes out while it is being made.',
      description:
        `${tokenDescription(streamProtocol)}\n\nA stream token of \`POST /v1/tts/stream-tokens\` opens one connection. Several ` +
        'contexts run side by side, each a text in a voice. An error of a context does not close the connection.\n\n' +
        `Close codes:\n\n${list(streamCodes)}\n\nLimits, which \`ready\` announces:\n\n${list(streamLimits)}`,
      servers: [{ $ref: '#/servers/gateway' }],
      bindings: queryOf(streamQuery),
      'x-close-codes': streamCodes,
      'x-limits': streamLimits,
      receives: fromStreamClient,
      sends: { ...toStreamClient, streamAudio },
    }),
    listen: channelOf('listen', {
      address: listenPath,
      title: 'Recognize speech',
      summary: 'Audio goes in while it is spoken, its text comes out.',
      description:
        `${tokenDescription(listenProtocol)}\n\nA listen token of \`POST /v1/listen/tokens\` opens one connection. The audio is ` +
        `billed by the second.\n\nClose codes:\n\n${list(streamCodes)}\n\nLimits, which \`ready\` announces:\n\n${list(listenLimits)}`,
      servers: [{ $ref: '#/servers/gateway' }],
      bindings: queryOf(streamQuery),
      'x-close-codes': streamCodes,
      'x-limits': listenLimits,
      receives: { ...fromListenClient, listenAudio },
      sends: toListenClient,
    }),
    conversationSocket: channelOf('conversationSocket', {
      address: sessionSocketPath.replace(/:(\w+)/g, '{$1}'),
      title: 'Conversation over a WebSocket',
      summary: 'The events of a conversation as text, and its audio as binary frames.',
      description:
        `${tokenDescription(sessionProtocol)}\n\n\`POST /v1/agents/{agentId}/sessions\` with the transport \`websocket\` returns ` +
        `the address. Its session token stays valid while the conversation lives.\n\nClose codes:\n\n${list(conversationCodes)}\n\n` +
        `Limits:\n\n${list(sessionEventLimits)}`,
      servers: [{ $ref: '#/servers/gateway' }],
      parameters: {
        agentId: { description: 'The id of the Agent.' },
        sessionId: { description: 'The id of the session.' },
      },
      bindings: queryOf(tokenParameter),
      'x-close-codes': conversationCodes,
      'x-limits': sessionEventLimits,
      receives: { ...fromConversationClient, ...audio },
      sends: { ...toConversationClient, ...audio },
    }),
    conversationDataChannel: channelOf('conversationDataChannel', {
      address: sessionChannelLabel,
      title: 'Conversation over WebRTC',
      summary: 'The events of a conversation on its data channel, which is reliable and ordered. Audio is in tracks.',
      description:
        `The client opens a data channel with the label \`${sessionChannelLabel}\` before it creates the offer that it sends to ` +
        `\`POST /v1/agents/{agentId}/sessions\`.\n\nLimits:\n\n${list(sessionEventLimits)}`,
      servers: [{ $ref: '#/servers/peer' }],
      'x-limits': sessionEventLimits,
      receives: fromConversationClient,
      sends: toConversationClient,
    }),
    realtime: channelOf('realtime', {
      address: realtimePath,
      title: "OpenAI's Realtime protocol",
      summary: "A conversation with an Agent, or the recognition of speech, with the events of OpenAI's Realtime API.",
      description:
        'A key, or a client secret of `POST /v1/realtime/client_secrets`, goes into the Authorization header. A browser offers the ' +
        'subprotocols `realtime` and `openai-insecure-api-key.<client secret>`. Over WebRTC the events are those of the data channel ' +
        `\`${realtimeChannelLabel}\`.\n\nLimits:\n\n${list(realtimeLimits)}`,
      servers: [{ $ref: '#/servers/gateway' }],
      bindings: queryOf({
        model: { type: 'string', description: 'The id of the Agent. A client secret has it already.' },
        intent: { type: 'string', enum: ['realtime', 'transcription'], default: 'realtime' },
      }),
      'x-limits': realtimeLimits,
      receives: fromRealtimeClient,
      sends: toRealtimeClient,
    }),
  }

  return {
    asyncapi: '3.0.0',
    info: {
      title,
      version: '1.0.0',
      description:
        'What is sent over WebSockets and data channels. Each text message is a JSON object with an `event`, or with a `type` in ' +
        "OpenAI's protocol. The rest of the API is described by `/v1/openapi.json`, and the codes of errors by the documentation.",
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      gateway: {
        host: '{host}',
        protocol: 'wss',
        description: 'The gateway. Without TLS the protocol is ws.',
        variables: { host: { default: 'localhost:8080' } },
      },
      peer: { host: '{host}', protocol: 'webrtc', variables: { host: { default: 'localhost' } } },
    },
    channels: Object.fromEntries(Object.entries(channels).map(([name, { channel }]) => [name, channel])),
    operations: Object.assign({}, ...Object.values(channels).map(({ operations }) => operations)) as object,
    components: {
      messages: {
        ...fromStreamClient,
        ...toStreamClient,
        streamAudio,
        ...fromListenClient,
        ...toListenClient,
        listenAudio,
        ...fromConversationClient,
        ...toConversationClient,
        ...audio,
        ...fromRealtimeClient,
        ...toRealtimeClient,
      },
    },
  }
}

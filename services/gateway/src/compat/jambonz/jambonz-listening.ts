/**
 * jambonz' custom speech recognition: its WebSocket as a stream of `/v1/listen`.
 * https://docs.jambonz.org/guides/features/custom-stt-providers
 */
import { type ListenGrant, languageTagSchema } from '@parlance/contracts'
import { z } from 'zod'
import { parseRequest } from '../../http/parsed-request.js'
import { noAuthentication, type Route, undocumented } from '../../routes/route.js'
import { type ListenDialect, openListenConnection } from '../../stream/listen-connection.js'
import type { ListenStreamsOptions } from '../../stream/listen-streams.js'
import { createStreamUpgrade } from '../../stream/stream-upgrade.js'
import { standardCloseCode } from '../../websocket/close-codes.js'
import type { SocketRoute } from '../../websocket/upgrade.js'
import { refuseWithoutUpgrade } from '../../websocket/upgrade.js'
import { createIdentify, type VendorClientsOptions } from '../vendor-clients.js'
import { jambonzError } from './jambonz-speech.js'

const path = '/v1/compat/jambonz/stt'

export const jambonzListeningRoute: Route = undocumented({
  ...{ method: 'get', path, authentication: noAuthentication },
  createHandler: () => refuseWithoutUpgrade,
})

const messageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    language: languageTagSchema.nullish(),
    format: z.literal('raw').default('raw'),
    encoding: z.literal('LINEAR16').default('LINEAR16'),
    sampleRateHz: z.int().min(8_000).max(48_000).default(8_000),
    interimResults: z.boolean().default(false),
    /** Of the application's recognizer. */
    options: z.looseObject({}).nullish(),
  }),
  z.object({ type: z.literal('stop') }),
])

/** Applications read it, and recognizers do not report it. */
const confidence = 1

/** The messages of one connection. */
export const createJambonzListening = (): ListenDialect => {
  let language = ''
  /** The options that had no effect and were not named yet. */
  let ignored: string[] = []

  /** jambonz passes the field on to the application. */
  const warning = (): object => {
    if (ignored.length === 0) return {}
    return { warning: `These options have no effect: ${ignored.splice(0).join(', ')}.` }
  }

  return {
    endsWithError: true,
    closeCode: standardCloseCode,
    read(message) {
      const sent = parseRequest(messageSchema, message)
      if (sent.type === 'stop') return [{ event: 'close' }]
      ignored = Object.keys(sent.options ?? {})
      return [
        {
          ...{ event: 'start', encoding: 'pcm_s16le', sample_rate: sent.sampleRateHz },
          ...{ interim_results: sent.interimResults, words: false },
          ...(sent.language != null && { language: sent.language }),
        },
      ]
    },
    write(message) {
      switch (message.event) {
        case 'started':
          language = message.language
          return []
        case 'transcript': {
          const { text: transcript, final: is_final } = message
          if (transcript === '') return []
          return [
            {
              ...{ type: 'transcription', is_final, alternatives: [{ transcript, confidence }] },
              ...{ language, channel: 1, ...warning() },
            },
          ]
        }
        case 'error':
          return [jambonzError(message)]
        default:
          return []
      }
    },
  }
}

/** jambonz sends at once what it recorded while the socket was being opened, which is up to 5 s. */
const maxFrameBytes = 512 * 1024
/** It sends nothing while the caller is on hold. */
const inactivityTimeoutSeconds = 180

export const createJambonzListeningSocket = (
  options: ListenStreamsOptions & VendorClientsOptions<ListenGrant>,
): SocketRoute => {
  return createStreamUpgrade<ListenGrant, { readonly inactivity_timeout: number }>({
    ...options,
    path,
    maxFrameBytes,
    identify: createIdentify(options),
    readQuery: () => ({ inactivity_timeout: inactivityTimeoutSeconds }),
    openConnection: (stream) => openListenConnection({ ...options, ...stream, dialect: createJambonzListening() }),
  })
}

/** The WebSockets of Deepgram's `/v1/listen` and `/v1/speak`, on the streams of ours. */
import { type ListenGrant, listenLimits, type StreamGrant, streamLimits } from '@parlance/contracts'
import { ignoredHeader } from '../../http/json-response.js'
import { openListenConnection } from '../../stream/listen-connection.js'
import type { ListenStreamsOptions } from '../../stream/listen-streams.js'
import { createOpenSpeech } from '../../stream/speech-streams.js'
import { createStreamUpgrade } from '../../stream/stream-upgrade.js'
import type { SocketRoute } from '../../websocket/upgrade.js'
import {
  createIdentify,
  createIdentifyWithVoice,
  type VendorClientsOptions,
  type VendorVoiceOptions,
} from '../vendor-clients.js'
import { createDeepgramListening, requireRaw } from './deepgram-listening.js'
import { deepgramPaths, readListeningSettings, readSpeechSettings } from './deepgram-query.js'
import { createDeepgramSpeech, streamedOutput } from './deepgram-speech.js'

interface DeepgramListeningOptions extends ListenStreamsOptions, VendorClientsOptions<ListenGrant> {}

/** Deepgram has no such limit, and clients send what they read of a file at once. */
const maxFrameBytes = 256 * 1024

const listeningQuery = (query: URLSearchParams) => {
  const settings = readListeningSettings(query)
  return {
    ...settings,
    raw: requireRaw(settings),
    inactivity_timeout: listenLimits.inactivity_timeout_seconds,
  }
}

const speechQuery = (query: URLSearchParams) => {
  const settings = readSpeechSettings(query)
  return {
    ...settings,
    output: streamedOutput(settings),
    inactivity_timeout: streamLimits.inactivity_timeout_seconds,
  }
}

const shared = {
  protocols: ['token', 'bearer'],
  responseHeaders: ({ ignored }: { readonly ignored: readonly string[] }, requestId: string) => [
    ...['dg-request-id', requestId],
    ...ignoredHeader(ignored),
  ],
}

export const createDeepgramSockets = (
  speechOptions: VendorVoiceOptions,
  listeningOptions: DeepgramListeningOptions,
): SocketRoute[] => {
  const openSpeech = createOpenSpeech(speechOptions)

  const listening = createStreamUpgrade<ListenGrant, ReturnType<typeof listeningQuery>>({
    ...listeningOptions,
    ...shared,
    path: deepgramPaths.listen,
    maxFrameBytes,
    readQuery: listeningQuery,
    identify: createIdentify(listeningOptions),
    openConnection: (stream) =>
      openListenConnection({ ...listeningOptions, ...stream, dialect: createDeepgramListening(stream.query) }),
  })

  const speaking = createStreamUpgrade<StreamGrant, ReturnType<typeof speechQuery>>({
    ...speechOptions,
    ...shared,
    path: deepgramPaths.speak,
    maxFrameBytes: streamLimits.frame_bytes,
    readQuery: speechQuery,
    identify: createIdentifyWithVoice(speechOptions, readSpeechSettings),
    openConnection: (stream) =>
      openSpeech(stream, createDeepgramSpeech({ ...stream.query, voiceOfGrant: stream.grant.voice_id })),
  })

  return [listening, speaking]
}

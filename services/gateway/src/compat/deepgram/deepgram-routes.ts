/** Deepgram's HTTP interface under `/v1/compat/deepgram`, and the descriptions of its WebSockets. */
import { createHash } from 'node:crypto'
import { alawToPcm, pcmAsBytes, ulawToPcm, wavHeader } from '@parlance/audio'
import { ServiceError, ttsRequestSchema } from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'
import type { Request } from 'express'
import { principalOf } from '../../authentication/require-key.js'
import { hangUpSignal } from '../../http/connection-end.js'
import { ignoredHeader, sendResource } from '../../http/json-response.js'
import { readFileBody } from '../../http/multipart-form.js'
import { withoutIdleLimit } from '../../http/streamed-body.js'
import { apiKey, noAuthentication, type Route, undocumented } from '../../routes/route.js'
import { respondWithAudio } from '../../synthesis/stream-responder.js'
import { readSpeechBody } from '../../synthesis/synthesis-request.js'
import type { Transcript } from '../../transcription/transcript-formats.js'
import { refuseWithoutUpgrade } from '../../websocket/upgrade.js'
import { defaultVoice } from '../vendor-clients.js'
import { recordingResult } from './deepgram-listening.js'
import { deepgramPaths, type ListeningSettings, readListeningSettings, readSpeechSettings } from './deepgram-query.js'
import { requestedOutput } from './deepgram-speech.js'

const queryOf = (req: Request): URLSearchParams => new URL(req.originalUrl, 'http://localhost').searchParams

/** Audio without a container becomes a WAV file, which is what is read here. */
const fileOf = (audio: Uint8Array, { raw }: ListeningSettings): Uint8Array => {
  if (raw === undefined) return audio
  const { encoding, sampleRateHz } = raw
  const whole = encoding === 'pcm_s16le' ? audio : pcmAsBytes(encoding === 'ulaw' ? ulawToPcm(audio) : alawToPcm(audio))
  return Buffer.concat([wavHeader({ sampleRateHz, dataBytes: whole.length }), whole])
}

const listenToRecording: Route['createHandler'] =
  ({ runTranscription }) =>
  async (req, res) => {
    const settings = readListeningSettings(queryOf(req))
    if (/^application\/json\b/i.test(req.headers['content-type'] ?? '')) {
      throw new ServiceError('invalid_request', 'url: recordings are not fetched here. Send the audio as the body.')
    }
    const audio = await readFileBody(req)
    if (audio.length === 0) throw new ServiceError('invalid_request', 'The body has no audio.')
    const { model: recognizer, language, utterances, ignored } = settings
    const task = {
      principal: principalOf(req),
      file: fileOf(audio, settings),
      request: { recognizer, language },
      context: req.context,
      signal: hangUpSignal(res),
    }
    const onEnd = (transcript: Transcript): void => {
      const body = recordingResult({
        ...transcript,
        requestId: req.id,
        model: recognizer ?? 'default',
        sha256: createHash('sha256').update(audio).digest('hex'),
        withUtterances: utterances,
      })
      sendResource(req, res, 200, body, ['dg-request-id', req.id, ...ignoredHeader(ignored)])
    }
    await withoutIdleLimit(req.socket, () => runTranscription(task, { onEnd }))
  }

const speechBodySchema = ttsRequestSchema.pick({ text: true })

const speakAsDeepgram: Route['createHandler'] =
  ({ speak, catalog }) =>
  async (req, res) => {
    const settings = readSpeechSettings(queryOf(req))
    const { output, isAac } = requestedOutput(settings)
    const { text } = await readSpeechBody(req, speechBodySchema, 'text')
    const voice = settings.voice ?? (await defaultVoice(catalog.listVoices, settings.language, req.context))
    res.addHeaders([
      ...['dg-request-id', req.id, 'dg-model-name', voice, 'dg-char-count', String(countCodePoints(text))],
      ...ignoredHeader(settings.ignored),
    ])
    const synthesis = {
      text,
      voice,
      variant: null,
      language: null,
      output,
      speed: settings.speed,
      volume: 1,
      alignment: [],
    }
    // Its module takes a tenth of a second to load, and few requests need it.
    const respond = isAac ? (await import('../../synthesis/aac.js')).inAac(respondWithAudio) : respondWithAudio
    await speak(req, res, synthesis, respond)
  }

const refuseVersion2: Route['createHandler'] = () => () => {
  throw new ServiceError(
    'not_found',
    "Deepgram's version 2 (Flux) is not supported here. Use /v1/listen and /v1/speak.",
  )
}

const routeAt = (
  method: 'get' | 'post',
  path: string,
  createHandler: Route['createHandler'],
  authentication = noAuthentication,
): Route => undocumented({ method, path, authentication, createHandler })

export const deepgramRoutes: readonly Route[] = [
  routeAt('post', deepgramPaths.listen, listenToRecording, apiKey('stt')),
  routeAt('get', deepgramPaths.listen, () => refuseWithoutUpgrade),
  routeAt('post', deepgramPaths.speak, speakAsDeepgram, apiKey('tts')),
  routeAt('get', deepgramPaths.speak, () => refuseWithoutUpgrade),
  routeAt('get', deepgramPaths.listenV2, refuseVersion2),
  routeAt('get', deepgramPaths.speakV2, refuseVersion2),
  routeAt('post', deepgramPaths.speakV2, refuseVersion2),
]

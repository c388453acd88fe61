import type { ServerResponse } from 'node:http'
import { withTrueWavSizes } from '@parlance/audio'
import { isLostAnswer } from '@parlance/clients/speech'
import { type Alignment, ServiceError, type SynthesisChunk, type ttsJsonResponseSchema } from '@parlance/contracts'
import type { z } from 'zod'
import { jsonType } from '../http/json-response.js'
import { writePart } from '../http/streamed-body.js'
import { type Speech, type SpeechResponder, type StartedChunk, speechHeaders } from './speech.js'
import { requestedAlignment } from './synthesis-request.js'

/** A multiple of three, so that the base64 of the parts is the base64 of the whole. */
const partBytes = 48 * 1024

/** The whole speech as one JSON object, when it is complete. A speech whose worker was lost is synthesized again. */
export const respondWithJson: SpeechResponder = async (req, res, speech) => {
  const { started, audio, alignment, done } = await collectWhole(speech)
  speech.signal.throwIfAborted()
  const { output } = speech.request
  const bytes = output.format === 'wav' ? withTrueWavSizes(audio) : audio
  const answer: Omit<z.output<typeof ttsJsonResponseSchema>, 'audio_base64'> = {
    request_id: req.id,
    output,
    audio_duration_ms: done.audio_duration_ms,
    characters_billed: done.characters_billed,
    alignment: requestedAlignment(alignment, speech.request.alignment),
  }
  const head = '{"audio_base64":"'
  const tail = `",${JSON.stringify(answer).slice(1)}`
  const length = head.length + 4 * Math.ceil(bytes.length / 3) + Buffer.byteLength(tail)
  const headers = speechHeaders(req, speech, started, jsonType)
  res.writeHead(200, [...headers, 'content-length', String(length)])
  res.write(head)
  await writeBase64(res, bytes, speech.signal)
  res.end(tail)
}

interface Collected {
  started: StartedChunk | undefined
  audio: Uint8Array
  alignment: Alignment
  done: Extract<SynthesisChunk, { event: 'done' }>
}

const maxCollections = 3

const collectWhole = async (speech: Speech): Promise<Collected> => {
  for (let collections = 1; ; collections++) {
    try {
      return await collect(speech)
    } catch (error) {
      if (speech.signal.aborted || collections === maxCollections || !isLostAnswer(error)) throw error
    }
  }
}

const collect = async ({ speak }: Speech): Promise<Collected> => {
  const parts: Uint8Array[] = []
  const alignment: Alignment = { words: [], phonemes: [], visemes: [] }
  let started: StartedChunk | undefined
  let done: Collected['done'] | undefined
  await speak((chunk) => {
    switch (chunk.event) {
      case 'started':
        started = chunk
        break
      case 'audio':
        parts.push(chunk.data)
        break
      case 'alignment':
        alignment.words.push(...chunk.words)
        alignment.phonemes.push(...chunk.phonemes)
        alignment.visemes.push(...chunk.visemes)
        break
      case 'done':
        done = chunk
    }
  })
  if (done === undefined)
    throw new ServiceError('upstream_error', 'The speech ended before it was complete. Try again.')
  return { started, audio: Buffer.concat(parts), alignment, done }
}

/** Minutes of audio are tens of megabytes. Encoding them at once would delay every other request. */
const writeBase64 = async (res: ServerResponse, bytes: Uint8Array, signal: AbortSignal): Promise<void> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < buffer.length; at += partBytes) {
    await writePart(res, buffer.subarray(at, at + partBytes).toString('base64'), signal)
  }
}

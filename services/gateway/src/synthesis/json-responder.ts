import type { ServerResponse } from 'node:http'
import { withTrueWavSizes } from '@parlance/audio'
import { isLostAnswer } from '@parlance/clients/speech'
import type { Alignment, SynthesisChunk, ttsJsonResponseSchema } from '@parlance/contracts'
import type { Request } from 'express'
import type { z } from 'zod'
import { jsonType } from '../http/json-response.js'
import { writePart } from '../http/streamed-body.js'
import { type Speech, type SpeechResponder, type StartedChunk, speechHeaders } from './speech.js'
import { requestedAlignment } from './synthesis-request.js'

/** A multiple of three, so that the base64 of the parts is the base64 of the whole. */
const partBytes = 48 * 1024

/**
 * Responds with the whole speech as one JSON object, when it is complete: the audio as `audio_base64`, and before the end what `toAnswer`
 * returns. A speech whose worker was lost is synthesized again.
 */
export const createJsonResponder =
  (toAnswer: (req: Request, speech: Speech, collected: Collected) => object): SpeechResponder =>
  async (req, res, speech) => {
    const collected = await collectWhole(speech)
    const { started, audio } = collected
    speech.signal.throwIfAborted()
    const { output } = speech.request
    const bytes = output.format === 'wav' ? withTrueWavSizes(audio) : audio
    const head = '{"audio_base64":"'
    const tail = `",${JSON.stringify(toAnswer(req, speech, collected)).slice(1)}`
    const length = head.length + 4 * Math.ceil(bytes.length / 3) + Buffer.byteLength(tail)
    const headers = speechHeaders(req, speech, started, jsonType)
    res.writeHead(200, [...headers, 'content-length', String(length)])
    res.write(head)
    await writeBase64(res, bytes, speech.signal)
    res.end(tail)
  }

export const respondWithJson = createJsonResponder(
  (
    { id: request_id },
    { request: { output, alignment: requested } },
    { alignment, done: { audio_duration_ms, characters_billed } },
  ): Omit<z.output<typeof ttsJsonResponseSchema>, 'audio_base64'> => ({
    request_id,
    output,
    audio_duration_ms,
    characters_billed,
    alignment: requestedAlignment(alignment, requested),
  }),
)

interface Collected {
  started: StartedChunk | undefined
  audio: Uint8Array
  alignment: Alignment
  /** The alignments of segments, each by the index of its segment. */
  segments: { readonly segment: number; readonly words: Alignment['words'] }[]
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
  const segments: Collected['segments'] = []
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
        segments.push(chunk)
        alignment.words.push(...chunk.words)
        alignment.phonemes.push(...chunk.phonemes)
        alignment.visemes.push(...chunk.visemes)
        break
      case 'done':
        done = chunk
    }
  })
  return { started, audio: Buffer.concat(parts), alignment, segments, done: done! }
}

/** Minutes of audio are tens of megabytes. Encoding them at once would delay every other request. */
const writeBase64 = async (res: ServerResponse, bytes: Uint8Array, signal: AbortSignal): Promise<void> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < buffer.length; at += partBytes) {
    await writePart(res, buffer.subarray(at, at + partBytes).toString('base64'), signal)
  }
}

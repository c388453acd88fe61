import { isErrorName } from '@parlance/contracts'
import { recognizedWords } from '@parlance/engine/protocol'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { RecognitionFailure } from './recognition-failure.js'

const maxAnswerBytes = 256 * 1024
const answerSchema = z.object({ text: z.string() })
const errorSchema = z.object({ error: z.object({ code: z.custom<string>(isErrorName) }) })

const broken = (message: string, options?: ErrorOptions) => new RecognitionFailure('upstream_error', message, options)

const readJson = async (body: Dispatcher.ResponseData['body']): Promise<unknown> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body as AsyncIterable<Uint8Array>) {
    bytes += part.length
    if (bytes > maxAnswerBytes) throw broken('an answer that does not end')
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    // The parser's own error would quote the answer, and with it the user's words.
    throw broken('an answer that is not JSON')
  }
}

const failureOfStatus = (status: number, answer: unknown): RecognitionFailure => {
  const code = errorSchema.safeParse(answer).data?.error.code
  const message = `the server answered ${status}${code === undefined ? '' : ` (${code})`}`
  if (status === 429 && code !== 'insufficient_quota') return new RecognitionFailure('capacity_exhausted', message)
  if (status === 408 || status === 504) return new RecognitionFailure('upstream_timeout', message)
  return new RecognitionFailure('upstream_error', message, { mayTryAgain: status >= 500 })
}

/** The words of an answer, or an empty text. Rejects with `RecognitionFailure`, or with the error of the connection. */
export const readTranscription = async ({ statusCode, body }: Dispatcher.ResponseData): Promise<string> => {
  if (statusCode !== 200) throw failureOfStatus(statusCode, await readJson(body).catch(() => undefined))
  const answer = answerSchema.safeParse(await readJson(body))
  if (!answer.success) throw broken('an answer without a text')
  return recognizedWords(answer.data.text)
}

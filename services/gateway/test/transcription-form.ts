import { keys } from './fake-services.js'
import type { OpenGateway } from './open-gateway.js'

export const transcriptionsPath = '/v1/audio/transcriptions'
export const sound = Buffer.from('RIFF and so on '.repeat(10_000))

export type FormFields = readonly (readonly [name: string, value: string])[]

/** A form with a file, unless that is null. */
export const formOf = (fields: FormFields, file: Uint8Array | null = sound): FormData => {
  const form = new FormData()
  if (file !== null) form.set('file', new Blob([new Uint8Array(file)]), 'recording.wav')
  for (const [name, value] of fields) form.append(name, value)
  return form
}

interface SendOptions {
  readonly file?: Uint8Array | null
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** Sends a form for transcription. */
export const sendForm = (
  { url }: Pick<OpenGateway, 'url'>,
  fields: FormFields,
  { file, headers, signal }: SendOptions = {},
): Promise<Response> =>
  fetch(`${url}${transcriptionsPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.good}`, ...headers },
    body: formOf(fields, file),
    ...(signal && { signal }),
  })

export const whisper = [['model', 'whisper-1']] as const

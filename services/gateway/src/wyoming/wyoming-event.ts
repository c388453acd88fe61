/**
 * The events of the Wyoming protocol: a line of JSON, then `data_length` bytes of JSON and `payload_length` bytes of audio.
 * https://github.com/OHF-Voice/wyoming
 */
import { ServiceError, type Voice } from '@parlance/contracts'
import { z } from 'zod'

export interface WyomingEvent {
  readonly type: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly payload?: Uint8Array
}

const maxLineBytes = 64 * 1024
const maxDataBytes = 64 * 1024
const maxPayloadBytes = 1024 * 1024

const headerSchema = z.object({
  type: z.string().min(1).max(100),
  data: z.record(z.string(), z.unknown()).nullish(),
  data_length: z.int().min(0).max(maxDataBytes).nullish(),
  payload_length: z.int().min(0).max(maxPayloadBytes).nullish(),
})

const malformed = () => new ServiceError('invalid_request', 'This is not an event of the Wyoming protocol.')

const parse = <Schema extends z.ZodType>(schema: Schema, bytes: Buffer): z.output<Schema> => {
  try {
    return schema.parse(JSON.parse(bytes.toString()))
  } catch {
    throw malformed()
  }
}

/** Takes the bytes of a connection in parts of any length. Throws for what is no event; the connection is then of no more use. */
export const createWyomingReader = (onEvent: (event: WyomingEvent) => void): ((bytes: Buffer) => void) => {
  let received: Buffer = Buffer.alloc(0)
  /** The event whose line was read. */
  let header: z.output<typeof headerSchema> | undefined

  const readNext = (): boolean => {
    if (header === undefined) {
      const end = received.indexOf('\n')
      if (end < 0 && received.length > maxLineBytes) throw malformed()
      if (end < 0) return false
      header = parse(headerSchema, received.subarray(0, end))
      received = received.subarray(end + 1)
    }
    const { type, data, data_length, payload_length } = header
    const dataEnd = data_length ?? 0
    const payloadEnd = dataEnd + (payload_length ?? 0)
    if (received.length < payloadEnd) return false
    const more = dataEnd === 0 ? {} : parse(z.record(z.string(), z.unknown()), received.subarray(0, dataEnd))
    const payload = received.subarray(dataEnd, payloadEnd)
    received = received.subarray(payloadEnd)
    header = undefined
    onEvent({ type, data: { ...data, ...more }, payload })
    return true
  }

  return (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    while (readNext());
  }
}

/** The bytes of an event. */
export const wyomingBytes = ({ type, data = {}, payload }: WyomingEvent): Buffer => {
  const json = Buffer.from(JSON.stringify(data))
  const header = { type, version: '1.10.0', data_length: json.length, payload_length: payload?.length ?? 0 }
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), json, payload ?? new Uint8Array()])
}

interface InfoOptions {
  readonly version: string
  readonly voices: readonly Voice[]
  readonly recognizers: readonly { readonly name: string; readonly languages: readonly string[] | null }[]
}

/** The data of `info`: the voices by their ids, and the recognizers. One that takes any language has those of the voices. */
export const wyomingInfo = ({ version, voices, recognizers }: InfoOptions): Record<string, unknown> => {
  const made = { attribution: { name: 'Parlance', url: '' }, installed: true, version }
  const spoken = [...new Set(voices.flatMap(({ languages }) => languages.map((tag) => tag.split('-')[0]!)))].sort()
  const program = { ...made, name: 'parlance', description: 'Parlance' }
  return {
    asr:
      recognizers.length === 0
        ? []
        : [
            {
              ...program,
              models: recognizers.map(({ name, languages }) => ({
                ...made,
                ...{ name, description: name, languages: languages ?? spoken },
              })),
              supports_transcript_streaming: true,
            },
          ],
    tts: [
      {
        ...program,
        voices: voices.map(({ id, display_name, languages }) => ({
          ...made,
          ...{ name: id, description: display_name, languages, speakers: null },
        })),
        supports_synthesize_streaming: true,
      },
    ],
    ...{ handle: [], intent: [], wake: [], mic: [], snd: [] },
  }
}

/**
 * A complete speech as one byte array: the length of a list (32 bits), the list of the chunks as JSON with the length of each
 * audio in its place, then all audio. Its size is exact, and it is the same in memory and in a store.
 */
import { type SynthesisChunk, synthesisChunkSchema } from '@parlance/contracts'
import { z } from 'zod'

const [started, audio, alignment, segment, done] = synthesisChunkSchema.options
const listedAudio = audio.omit({ data: true }).extend({ bytes: z.int().nonnegative() })
const listedChunkSchema = z.discriminatedUnion('event', [started, listedAudio, alignment, segment, done])
const listSchema = z.array(listedChunkSchema).min(1)

const lengthBytes = 4

export const recordSpeech = (chunks: readonly SynthesisChunk[]): Uint8Array => {
  const parts: Uint8Array[] = []
  const listed = chunks.map((chunk): z.infer<typeof listedChunkSchema> => {
    if (chunk.event !== 'audio') return chunk
    const { data, ...fields } = chunk
    parts.push(data)
    return { ...fields, bytes: data.length }
  })
  const list = Buffer.from(JSON.stringify(listed))
  const recorded = new Uint8Array(parts.reduce((sum, { length }) => sum + length, lengthBytes + list.length))
  new DataView(recorded.buffer).setUint32(0, list.length)
  let at = lengthBytes
  for (const part of [list, ...parts]) {
    recorded.set(part, at)
    at += part.length
  }
  return recorded
}

const parseList = (json: string) => {
  try {
    return listSchema.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

/** Returns the chunks, whose audio are views of `recorded`; undefined for an invalid recording. */
export const readSpeech = (recorded: Uint8Array): SynthesisChunk[] | undefined => {
  const bytes = Buffer.from(recorded.buffer, recorded.byteOffset, recorded.byteLength)
  if (bytes.length < lengthBytes) return undefined
  let at = lengthBytes + bytes.readUInt32BE(0)
  const chunks = parseList(bytes.toString('utf8', lengthBytes, at))?.map((chunk): SynthesisChunk => {
    if (chunk.event !== 'audio') return chunk
    const { bytes: length, ...fields } = chunk
    const data = recorded.subarray(at, at + length)
    at += length
    return { ...fields, data }
  })
  return at === recorded.length ? chunks : undefined
}

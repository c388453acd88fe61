/**
 * A whole speech as one piece of bytes: the length of a list (32 bits), the list of the chunks as JSON in which each audio
 * is its length, then all audio. One piece is counted exactly, and is the same in memory and in a store.
 */
import type { SynthesisChunk } from '@parlance/contracts'

type ListedChunk = Exclude<SynthesisChunk, { event: 'audio' }> | AudioOf<{ bytes: number }>
type AudioOf<Fields> = Omit<Extract<SynthesisChunk, { event: 'audio' }>, 'data'> & Fields

const lengthBytes = 4

export const recordSpeech = (chunks: readonly SynthesisChunk[]): Uint8Array => {
  const audio: Uint8Array[] = []
  const listed = chunks.map((chunk): ListedChunk => {
    if (chunk.event !== 'audio') return chunk
    const { data, ...fields } = chunk
    audio.push(data)
    return { ...fields, bytes: data.length }
  })
  const list = Buffer.from(JSON.stringify(listed))
  const audioBytes = audio.reduce((sum, { length }) => sum + length, 0)
  const recorded = new Uint8Array(lengthBytes + list.length + audioBytes)
  new DataView(recorded.buffer).setUint32(0, list.length)
  recorded.set(list, lengthBytes)
  let at = lengthBytes + list.length
  for (const data of audio) {
    recorded.set(data, at)
    at += data.length
  }
  return recorded
}

/** The same chunks, their audio pieces of `recorded`. Undefined for bytes that are no whole recording. */
export const readSpeech = (recorded: Uint8Array): SynthesisChunk[] | undefined => {
  if (recorded.length < lengthBytes) return undefined
  const listEnd = lengthBytes + new DataView(recorded.buffer, recorded.byteOffset).getUint32(0)
  let listed: ListedChunk[]
  try {
    listed = JSON.parse(
      Buffer.from(recorded.buffer, recorded.byteOffset, recorded.length).toString('utf8', lengthBytes, listEnd),
    )
  } catch {
    return undefined
  }
  let at = listEnd
  const chunks = listed.map((chunk): SynthesisChunk => {
    if (chunk.event !== 'audio') return chunk
    const { bytes, ...fields } = chunk
    const data = recorded.subarray(at, at + bytes)
    at += bytes
    return { ...fields, data }
  })
  return at === recorded.length ? chunks : undefined
}

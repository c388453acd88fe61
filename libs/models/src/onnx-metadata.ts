import { type FileHandle, open } from 'node:fs/promises'
import { checkModelFile, ModelFileError } from './model-file.js'

/**
 * An ONNX file is one protobuf message. Its fields are walked from the outside: the weights, which are nearly all of it,
 * are skipped by their length, so a model of any size is looked at with a few short reads, and one that was cut off
 * shows, since some field would end after the file does.
 */

const graphField = 7
const metadataField = 14
/** Of ONNX's `ModelProto`, with room for what later versions add. */
const highestField = 100
/** A key with its value; speakers' names are the longest there are. */
const maxMetadataBytes = 1024 * 1024
/** A tag and a length are two varints of at most ten bytes. */
const headerBytes = 20

const bytesOfWireType: Readonly<Record<number, number>> = { 1: 8, 5: 4 }

/** A varint and where it ends; undefined when the bytes do. */
const readVarint = (bytes: Uint8Array, start: number): { value: number; end: number } | undefined => {
  let value = 0
  for (let index = start; index < Math.min(start + 10, bytes.length); index++) {
    value += (bytes[index]! & 0x7f) * 2 ** (7 * (index - start))
    if (bytes[index]! < 0x80) return { value, end: index + 1 }
  }
  return undefined
}

interface Field {
  readonly number: number
  readonly start: number
  readonly end: number
}

/** The field at `start` of a message, whose bytes from there on are at hand as far as `header` goes. */
const fieldAt = (header: Uint8Array, start: number): Field | undefined => {
  const tag = readVarint(header, 0)
  if (tag === undefined) return undefined
  const number = Math.floor(tag.value / 8)
  const wireType = tag.value % 8
  if (number < 1 || number > highestField) return undefined
  const fixedBytes = bytesOfWireType[wireType]
  if (fixedBytes !== undefined) return { number, start: start + tag.end, end: start + tag.end + fixedBytes }
  const varint = readVarint(header, tag.end)
  if (varint === undefined) return undefined
  if (wireType === 0) return { number, start: start + tag.end, end: start + varint.end }
  if (wireType === 2) return { number, start: start + varint.end, end: start + varint.end + varint.value }
  return undefined
}

/** One `StringStringEntryProto`. */
const entryOf = (message: Buffer): [string, string] => {
  const entry: [string, string] = ['', '']
  for (let at = 0; at < message.length; ) {
    const field = fieldAt(message.subarray(at, at + headerBytes), at)
    if (field === undefined) break
    if (field.number === 1 || field.number === 2)
      entry[field.number - 1] = message.toString('utf8', field.start, field.end)
    at = field.end
  }
  return entry
}

const readBytes = async (file: FileHandle, start: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  return buffer.subarray(0, bytesRead)
}

/** What a model says about itself: keys and values of its publisher's choice. */
export type OnnxMetadata = Readonly<Record<string, string>>

/** Throws `ModelFileError` when it is missing, cut off or something else. */
export const readOnnxMetadata = async (path: string): Promise<OnnxMetadata> => {
  const sizeBytes = await checkModelFile(path)
  await using file = await open(path)
  const metadata: Record<string, string> = {}
  let hasGraph = false
  for (let at = 0; at < sizeBytes; ) {
    const field = fieldAt(await readBytes(file, at, headerBytes), at)
    if (field === undefined) throw new ModelFileError(path, hasGraph ? 'is damaged or cut off' : 'is not an ONNX model')
    if (field.end > sizeBytes) {
      const missing = `${field.end - sizeBytes} bytes or more are missing at its end`
      throw new ModelFileError(
        path,
        hasGraph || field.number === graphField ? `is cut off: ${missing}` : 'is not an ONNX model',
      )
    }
    if (field.number === graphField) hasGraph = true
    if (field.number === metadataField && field.end - field.start <= maxMetadataBytes) {
      const [key, value] = entryOf(await readBytes(file, field.start, field.end - field.start))
      metadata[key] = value
    }
    at = field.end
  }
  if (!hasGraph) throw new ModelFileError(path, 'is not an ONNX model')
  return metadata
}

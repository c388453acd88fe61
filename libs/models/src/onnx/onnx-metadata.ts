import { appendFile, type FileHandle, open } from 'node:fs/promises'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { checkModelFile, ModelFileError } from '../model-file.js'
import { fieldPlaceAt, fieldsOf, maxHeaderBytes } from './protobuf-field.js'

/** Numbers of the fields of ONNX's `ModelProto`. */
const graphField = 7
const metadataField = 14
/** Higher than the numbers in use, for fields of later versions. */
const maxField = 100
/** A key with its value. The longest values are lists of speakers' names. */
const maxMetadataBytes = 1024 * 1024

/** The key and the value of one `StringStringEntryProto`. */
const entryOf = (message: Uint8Array): [string, string] => {
  const entry: [string, string] = ['', '']
  for (const { number, bytes } of fieldsOf(message)) {
    if (number === 1 || number === 2) entry[number - 1] = Buffer.from(bytes).toString('utf8')
  }
  return entry
}

const readBytes = async (file: FileHandle, start: number, length: number): Promise<Uint8Array> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  return buffer.subarray(0, bytesRead)
}

/** The metadata of a model: keys and values that its publisher chose. */
export type OnnxMetadata = Readonly<Record<string, string>>

/**
 * Reads the metadata of a model of any size with a few short reads: the weights, which are nearly all of the file, are
 * skipped by their length. A field that would end after the file shows that the file was cut off.
 *
 * Rejects with `ModelFileError` when the file is missing, damaged, cut off or not an ONNX model.
 */
export const readOnnxMetadata = async (path: string): Promise<OnnxMetadata> => {
  const sizeBytes = await checkModelFile(path)
  await using file = await open(path)
  const metadata: Record<string, string> = {}
  let hasGraph = false
  const damaged = () => new ModelFileError(path, hasGraph ? 'is damaged or cut off' : 'is not an ONNX model')
  for (let at = 0; at < sizeBytes; ) {
    const field = fieldPlaceAt(await readBytes(file, at, maxHeaderBytes), at)
    if (field === undefined || field.number > maxField) throw damaged()
    if (field.end > sizeBytes) {
      const missing = `${field.end - sizeBytes} bytes or more are missing at its end`
      throw new ModelFileError(
        path,
        hasGraph || field.number === graphField ? `is cut off: ${missing}` : 'is not an ONNX model',
      )
    }
    if (field.number === graphField) hasGraph = true
    if (field.number === metadataField && field.end - field.start <= maxMetadataBytes) {
      const message = await readBytes(file, field.start, field.end - field.start)
      try {
        const [key, value] = entryOf(message)
        metadata[key] = value
      } catch {
        throw damaged()
      }
    }
    at = field.end
  }
  if (!hasGraph) throw new ModelFileError(path, 'is not an ONNX model')
  return metadata
}

/** Throws `ModelFileError` that names all of the keys that the metadata lacks. */
export const requireMetadata = (model: string, metadata: OnnxMetadata, keys: readonly string[]): void => {
  const missing = keys.filter((key) => metadata[key] === undefined)
  if (missing.length > 0) {
    throw new ModelFileError(model, `was not made for sherpa-onnx: its metadata lacks ${missing.join(', ')}`)
  }
}

/**
 * Adds metadata to an ONNX file without reading the rest. By the definition of Protocol Buffers, two consecutive messages
 * are one message whose repeated fields have the elements of both, and readers take the last value of a key.
 */
export const appendOnnxMetadata = async (path: string, metadata: OnnxMetadata): Promise<void> => {
  const writer = new BinaryWriter()
  for (const entry of Object.entries(metadata)) {
    writer.tag(metadataField, WireType.LengthDelimited).fork()
    for (const [index, text] of entry.entries()) writer.tag(index + 1, WireType.LengthDelimited).string(text)
    writer.join()
  }
  await appendFile(path, writer.finish())
}

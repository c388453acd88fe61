/** The fields of a Protocol Buffers message, which is the format of an ONNX file. Nothing here knows the fields of ONNX. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** One field of a message that is in memory. */
interface ProtobufField {
  readonly number: number
  /** The value of a field with a length; empty for other fields. Shares its memory with the message. */
  readonly bytes: Uint8Array
  /** The value of a varint; 0 for other fields. */
  readonly integer: number
}

const noBytes = new Uint8Array(0)

/** The fields of `message`, in its order. Throws where the message is damaged or cut off. */
export function* fieldsOf(message: Uint8Array): Generator<ProtobufField> {
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    if (wireType === WireType.LengthDelimited) yield { number, bytes: reader.bytes(), integer: 0 }
    else if (wireType === WireType.Varint) yield { number, bytes: noBytes, integer: Number(reader.int64()) }
    else reader.skip(wireType, number)
  }
}

/** The values of those fields of `message` that have the given number and a length. Throws as `fieldsOf` does. */
export function* bytesOfFields(message: Uint8Array, number: number): Generator<Uint8Array> {
  for (const field of fieldsOf(message)) if (field.number === number) yield field.bytes
}

/** Where one field of a message lies, counted in bytes from the start of the message. */
interface ProtobufFieldPlace {
  readonly number: number
  /** The first byte of its value, after its tag and its length. */
  readonly start: number
  /** The byte after its value. */
  readonly end: number
}

/** A tag and a length are two varints of at most ten bytes. */
export const maxHeaderBytes = 20

/**
 * The place of the field whose tag is at `start` of a message. `header` holds the bytes from there: `maxHeaderBytes`, or
 * all up to the end of the message. Undefined when they are not the tag and the length of a field.
 */
export const fieldPlaceAt = (header: Uint8Array, start: number): ProtobufFieldPlace | undefined => {
  const reader = new BinaryReader(header)
  try {
    const [number, wireType] = reader.tag()
    if (wireType === WireType.LengthDelimited) {
      const lengthBytes = Number(reader.uint64())
      return { number, start: start + reader.pos, end: start + reader.pos + lengthBytes }
    }
    const valueAt = start + reader.pos
    reader.skip(wireType, number)
    return { number, start: valueAt, end: start + reader.pos }
  } catch {
    return undefined
  }
}

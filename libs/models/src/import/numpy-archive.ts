import { parse } from 'npyjs'
import yauzl from 'yauzl'
import { ModelFileError } from '../model-file.js'

/** Numbers of 32 bits, in row-major order. */
export interface NumpyArray {
  readonly shape: readonly number[]
  readonly values: Float32Array
}

const isFloats = (data: ArrayBufferView): data is Float32Array => data instanceof Float32Array

const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<ArrayBuffer> => {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Uint8Array.from(Buffer.concat(parts)).buffer
}

/**
 * Reads the arrays of floats in a zip of NumPy's (`.npz`), by their names, in its order. Rejects with `ModelFileError` when the
 * file is not such a zip, is damaged, or has an array of another type.
 */
export const readNumpyArchive = async (path: string): Promise<ReadonlyMap<string, NumpyArray>> => {
  const arrays = new Map<string, NumpyArray>()
  try {
    const zip = await yauzl.openPromise(path)
    try {
      for await (const entry of zip.eachEntry()) {
        const { data, shape, fortranOrder } = parse(await bytesOf(await zip.openReadStreamPromise(entry)))
        if (!isFloats(data) || fortranOrder)
          throw new Error(`${entry.fileName} is not a row-major array of 32-bit floats`)
        const count = shape.reduce((product, size) => product * size, 1)
        if (data.length < count) throw new Error(`${entry.fileName} is cut off`)
        arrays.set(entry.fileName.replace(/\.npy$/, ''), { shape, values: data.subarray(0, count) })
      }
    } finally {
      zip.close()
    }
  } catch (error) {
    throw new ModelFileError(path, `is not an archive of NumPy's arrays: ${(error as Error).message}`)
  }
  return arrays
}

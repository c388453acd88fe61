import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFailure } from '../folder/install-error.js'
import { ModelFileError } from '../model-file.js'
import { tokenizerName } from '../recognition/recognition-kinds.js'

/**
 * Returns the symbols of a `tokenizer.bin`, as bytes, in the order of their numbers. Each is preceded by its length: one byte
 * below 128, or two, of which the second counts 128. Throws `ModelFileError` when the file is cut off.
 */
const readTokenizer = (path: string, bytes: Buffer): Buffer[] => {
  const symbols: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++]!
    const length = first < 128 ? first : first - 128 + 128 * (bytes[at++] ?? 0)
    if (at + length > bytes.length) throw new ModelFileError(path, 'is cut off')
    symbols.push(bytes.subarray(at, at + length))
    at += length
  }
  if (symbols.length === 0) throw new ModelFileError(path, 'is empty')
  return symbols
}

/** Writes an original Moonshine model into `folder` with the `tokens.txt` that sherpa-onnx reads: its symbols in Base64. */
export const convertMoonshine = async (source: string, folder: string): Promise<void> => {
  const tokenizer = join(source, tokenizerName)
  const symbols = readTokenizer(tokenizer, await readFile(tokenizer))
  const lines = symbols.map((symbol, number) => `${symbol.toString('base64')} ${number}\n`)
  try {
    await cp(source, folder, { recursive: true, dereference: true })
    await rm(join(folder, tokenizerName))
    await writeFile(join(folder, 'tokens.txt'), lines.join(''))
  } catch (error) {
    throw writeFailure(error, folder)
  }
}

import { ModelFileError, readModelText } from './model-file.js'

/** A line with a symbol and its number; a line with only a number is for the space. */
const line = /^(?:(\S+|\s)\s+|\s*)(\d+)\s*$/u

/** Reads the symbols of a model with their numbers. Rejects with a `ModelFileError`. */
export const readTokenTable = async (path: string): Promise<ReadonlyMap<string, number>> => {
  const symbols = new Map<string, number>()
  for (const [index, text] of (await readModelText(path)).split('\n').entries()) {
    if (text.trim() === '') continue
    const match = line.exec(text.replace(/\r$/, ''))
    if (match === null) throw new ModelFileError(path, `line ${index + 1} is not a symbol and a number`)
    symbols.set(match[1] ?? ' ', Number(match[2]))
  }
  if (symbols.size === 0) throw new ModelFileError(path, 'has no symbol')
  return symbols
}

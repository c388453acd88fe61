import { RemoteFailure } from './remote-failure.js'

/** Splits a stream of bytes into lines. Throws a `RemoteFailure` for a longer line, which limits the memory. */
export const createLineSplitter = (maxLineBytes: number) => {
  let parts: Uint8Array[] = []
  let length = 0

  const take = (): string => {
    const line = Buffer.concat(parts).toString('utf8')
    parts = []
    length = 0
    return line
  }
  const keep = (bytes: Uint8Array) => {
    length += bytes.length
    if (length > maxLineBytes) throw new RemoteFailure('broken', 'a line is too long')
    // A copy, since a small view would retain a large buffer.
    parts.push(Uint8Array.from(bytes))
  }

  return {
    /** Returns the lines that are complete now, without their line breaks. */
    split(bytes: Uint8Array): string[] {
      const lines: string[] = []
      let from = 0
      for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, from)) {
        keep(bytes.subarray(from, end))
        lines.push(take())
        from = end + 1
      }
      keep(bytes.subarray(from))
      return lines
    },
    /** Returns the text after the last line break. */
    rest: take,
  }
}

import { RemoteFailure } from './remote-failure.js'

export interface LineSplitter {
  /** The lines that are whole now, without their ends. */
  split(bytes: Uint8Array): string[]
  /** What came after the last line's end. */
  rest(): string
}

/** Lines from bytes that were cut anywhere. Throws when one does not end in time: memory is not the server's to fill. */
export const createLineSplitter = (maxLineBytes: number): LineSplitter => {
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
    if (length > maxLineBytes) throw new RemoteFailure('broken', 'a line does not end')
    // A copy, since a small part would keep all of a big buffer alive.
    parts.push(Uint8Array.from(bytes))
  }

  return {
    split(bytes) {
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
    rest: take,
  }
}

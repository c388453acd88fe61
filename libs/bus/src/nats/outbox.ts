import { lengthOf, maxMessageBytes } from '../bus.js'

/**
 * What goes to a server. All that is written in one turn of the event loop leaves in one piece: a write to the kernel costs
 * more than many small messages.
 */
export interface Outbox {
  /** A line, without its end. */
  line(line: string): void
  /** `subject` and `reply` are ASCII without spaces. */
  publish(subject: string, reply: string | undefined, headers: Buffer | undefined, pieces: readonly Uint8Array[]): void
  /** Writes what there is now. */
  flush(): void
  /** Writes nothing of it. */
  drop(): void
}

/** Room for the longest message of a stream. */
const arenaBytes = 224 * 1024
const lineEnd = '\r\n'

/** `write` answers whether it is done with the bytes it was given, or keeps them. */
export const createOutbox = (write: (bytes: Buffer) => boolean): Outbox => {
  let arena = Buffer.allocUnsafeSlow(arenaBytes)
  let writtenTo = 0
  let filledTo = 0
  let scheduled = false

  const flush = () => {
    if (filledTo === writtenTo) return
    const free = write(arena.subarray(writtenTo, filledTo))
    // New bytes each time would be garbage of which the collector knows too late how much there is.
    if (free) filledTo = 0
    writtenTo = filledTo
  }
  const onTurnEnd = () => {
    scheduled = false
    flush()
  }

  const makeRoom = (bytes: number) => {
    if (!scheduled) {
      scheduled = true
      setImmediate(onTurnEnd)
    }
    if (arena.length - filledTo >= bytes) return
    flush()
    if (arena.length - filledTo >= bytes) return
    // What was given to be written, and is kept, is never written over.
    arena = Buffer.allocUnsafeSlow(Math.max(arenaBytes, bytes))
    writtenTo = 0
    filledTo = 0
  }
  const put = (bytes: Uint8Array) => {
    arena.set(bytes, filledTo)
    filledTo += bytes.length
  }
  const putText = (text: string) => {
    filledTo += arena.write(text, filledTo, 'latin1')
  }

  return {
    line(line) {
      makeRoom(line.length + lineEnd.length)
      putText(line + lineEnd)
    },
    publish(subject, reply, headers, pieces) {
      const bytes = lengthOf(pieces)
      if (bytes > maxMessageBytes) throw new RangeError(`a message has at most ${maxMessageBytes} bytes`)
      const to = reply === undefined ? subject : `${subject} ${reply}`
      const head =
        headers === undefined
          ? `PUB ${to} ${bytes}${lineEnd}`
          : `HPUB ${to} ${headers.length} ${headers.length + bytes}${lineEnd}`
      makeRoom(head.length + (headers?.length ?? 0) + bytes + lineEnd.length)
      putText(head)
      if (headers !== undefined) put(headers)
      for (const piece of pieces) put(piece)
      putText(lineEnd)
    },
    flush,
    drop() {
      writtenTo = filledTo
    },
  }
}

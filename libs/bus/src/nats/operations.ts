import type { SubjectBytes } from './subject-bytes.js'

/**
 * What a NATS server says (the client protocol of docs.nats.io). A message is `MSG subject sid [reply] bytes`, or with
 * headers `HMSG subject sid [reply] header-bytes all-bytes`, each followed by its bytes; all else is one line.
 */
export interface ServerOperations {
  /** `data` is the receiver's own; all else is there to be looked at now, and not to be kept. */
  message(
    sid: number,
    subject: SubjectBytes,
    reply: string | undefined,
    headers: Buffer | undefined,
    data: Buffer,
  ): void
  info(json: string): void
  ping(): void
  pong(): void
  refused(reason: string): void
}

const [space, cr, lf, H, M] = [0x20, 0x0d, 0x0a, 0x48, 0x4d]
const mostLineBytes = 256 * 1024
const stranger = 'What answers there is not NATS.'
const empty = Buffer.alloc(0)

/** Where each argument of a message's line begins and ends: reused, for there are thousands a second. */
const spans = new Int32Array(10)
const subject: SubjectBytes = { bytes: empty, start: 0, end: 0 }

/**
 * Reads the operation that begins at `at`, of bytes that are there up to `end`. Returns where the next begins, or -1 where
 * this one is not whole yet. Throws `TypeError` for what is not NATS.
 */
export const readOperation = (bytes: Buffer, at: number, end: number, operations: ServerOperations): number => {
  if (at >= end) return -1
  const first = bytes[at]
  return first === M || first === H ? readMessage(bytes, at, end, operations) : readLine(bytes, at, end, operations)
}

const readMessage = (bytes: Buffer, at: number, end: number, operations: ServerOperations): number => {
  const headed = bytes[at] === H
  const nameEnd = at + (headed ? 4 : 3)
  if (nameEnd >= end) return -1
  if (bytes[nameEnd] !== space) throw new TypeError(stranger)
  let count = 0
  let start = nameEnd + 1
  let position = start
  for (; ; position++) {
    if (position >= end) return notWhole(at, end)
    const byte = bytes[position]
    if (byte !== space && byte !== cr) continue
    if (position > start) {
      if (count === 5) throw new TypeError('A message of NATS has too many arguments.')
      spans[2 * count] = start
      spans[2 * count + 1] = position
      count += 1
    }
    if (byte === cr) break
    start = position + 1
  }
  const sizes = headed ? 2 : 1
  if (count < 2 + sizes || count > 3 + sizes) throw new TypeError('A message of NATS lacks arguments.')
  const bodyAt = position + 2
  const bodyEnd = bodyAt + numberAt(bytes, count - 1)
  const next = bodyEnd + 2
  if (next > end) return -1
  const dataAt = headed ? bodyAt + numberAt(bytes, count - 2) : bodyAt
  if (dataAt > bodyEnd) throw new TypeError('A message of NATS is shorter than its headers.')
  subject.bytes = bytes
  subject.start = spans[0]!
  subject.end = spans[1]!
  operations.message(
    numberAt(bytes, 1),
    subject,
    count === 3 + sizes ? textAt(bytes, 2) : undefined,
    headed ? bytes.subarray(bodyAt, dataAt) : undefined,
    copyOf(bytes, dataAt, bodyEnd),
  )
  return next
}

const readLine = (bytes: Buffer, at: number, end: number, operations: ServerOperations): number => {
  const lineEnd = bytes.indexOf(lf, at)
  if (lineEnd < 0 || lineEnd >= end) return notWhole(at, end)
  const [name, rest] = split(bytes.toString('utf8', at, lineEnd).trimEnd())
  switch (name.toUpperCase()) {
    case 'PING':
      operations.ping()
      break
    case 'PONG':
      operations.pong()
      break
    case 'INFO':
      operations.info(rest)
      break
    case '-ERR':
      operations.refused(rest.replace(/^'|'$/g, ''))
      break
    case '+OK':
      break
    default:
      throw new TypeError(stranger)
  }
  return lineEnd + 1
}

const notWhole = (at: number, end: number): -1 => {
  if (end - at > mostLineBytes) throw new TypeError('A line of NATS has no end.')
  return -1
}

const split = (line: string): [string, string] => {
  const gap = line.search(/\s/)
  return gap < 0 ? [line, ''] : [line.slice(0, gap), line.slice(gap + 1).trim()]
}

const textAt = (bytes: Buffer, argument: number): string =>
  bytes.toString('latin1', spans[2 * argument], spans[2 * argument + 1])

const numberAt = (bytes: Buffer, argument: number): number => {
  let value = 0
  for (let position = spans[2 * argument]!; position < spans[2 * argument + 1]!; position++) {
    const digit = bytes[position]! - 0x30
    if (digit < 0 || digit > 9) throw new TypeError('A message of NATS has a number that is none.')
    value = value * 10 + digit
  }
  return value
}

/** Many messages share one piece of memory: each of its own would be one more for the collector to find. */
const slabBytes = 64 * 1024
const mostSharedBytes = 4 * 1024
let slab = Buffer.alloc(0)
let slabUsed = 0

const allocate = (bytes: number): Buffer => {
  if (bytes > mostSharedBytes) return Buffer.allocUnsafeSlow(bytes)
  if (slabUsed + bytes > slab.length) {
    slab = Buffer.allocUnsafeSlow(slabBytes)
    slabUsed = 0
  }
  slabUsed += bytes
  return slab.subarray(slabUsed - bytes, slabUsed)
}

const copyOf = (bytes: Buffer, from: number, to: number): Buffer => {
  if (from === to) return empty
  const copy = allocate(to - from)
  bytes.copy(copy, 0, from, to)
  return copy
}

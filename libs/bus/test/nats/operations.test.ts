import fc from 'fast-check'
import { createInbound } from '../../src/nats/inbound.js'
import type { ServerOperations } from '../../src/nats/operations.js'
import { lastNumber, subjectText } from '../../src/nats/subject-bytes.js'

type Operation =
  | {
      kind: 'message'
      sid: number
      subject: string
      reply: string | undefined
      headers: string | undefined
      data: string
    }
  | { kind: 'info' | 'refused'; text: string }
  | { kind: 'ping' | 'pong' }

const record = () => {
  const heard: Operation[] = []
  const operations: ServerOperations = {
    message: (sid, subject, reply, headers, data) =>
      heard.push({
        kind: 'message',
        sid,
        subject: subjectText(subject),
        reply,
        headers: headers?.toString('latin1'),
        data: data.toString('latin1'),
      }),
    info: (text) => heard.push({ kind: 'info', text }),
    refused: (text) => heard.push({ kind: 'refused', text }),
    ping: () => heard.push({ kind: 'ping' }),
    pong: () => heard.push({ kind: 'pong' }),
  }
  return { heard, inbound: createInbound(operations) }
}

const written = (operation: Operation): string => {
  switch (operation.kind) {
    case 'message': {
      const { sid, subject, reply, headers, data } = operation
      const to = [subject, sid, ...(reply === undefined ? [] : [reply])].join(' ')
      if (headers === undefined) return `MSG ${to} ${data.length}\r\n${data}\r\n`
      return `HMSG ${to} ${headers.length} ${headers.length + data.length}\r\n${headers}${data}\r\n`
    }
    case 'info':
      return `INFO ${operation.text}\r\n`
    case 'refused':
      return `-ERR '${operation.text}'\r\n`
    default:
      return `${operation.kind.toUpperCase()}\r\n`
  }
}

/** Any bytes at all, line ends among them. */
const payload = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
const subject = fc.stringMatching(/^[a-zA-Z0-9_.$*-]{1,40}$/)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constant('message' as const),
    sid: fc.integer({ min: 1, max: 1e9 }),
    subject,
    reply: fc.option(subject, { nil: undefined }),
    headers: fc.option(payload, { nil: undefined }),
    data: fc.oneof(payload, fc.constant('x'.repeat(200_000))),
  }),
  fc.record({ kind: fc.constant('info' as const), text: fc.constant('{"max_payload":1048576}') }),
  fc.record({ kind: fc.constant('refused' as const), text: fc.constant('Permissions Violation for Publish to "a.b"') }),
  fc.constant({ kind: 'ping' as const }),
  fc.constant({ kind: 'pong' as const }),
)

test('what a server says is heard whole and in order, wherever it is cut', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 12 }), cuts, fc.boolean(), (said, lengths, inPlace) => {
      const { heard, inbound } = record()
      const bytes = Buffer.from(said.map(written).join(''), 'latin1')
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const piece = bytes.subarray(at, at + lengths[n % lengths.length]!)
        if (inPlace) {
          const copied = piece.copy(inbound.room())
          inbound.received(copied)
          at += copied
        } else {
          inbound.append(piece)
          at += piece.length
        }
      }
      expect(heard).toEqual(said)
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['_INBOX.ab.0', 0],
  ['_INBOX.ab.1234567890', 1_234_567_890],
  ['_INBOX.5.', -1],
  ['_INBOX.5.6x', -1],
  ['_INBOX.5.-6', -1],
  ['7', 7],
])('the last token of %s as a number is %d', (subject, number) => {
  const around = Buffer.from(`12.${subject} 34`)
  expect(lastNumber({ bytes: around, start: 3, end: 3 + subject.length })).toBe(number)
})

test('the bytes of a message stay as they were when more comes in', () => {
  const kept: Buffer[] = []
  const { inbound } = record()
  const keeping = createInbound({ ...({} as ServerOperations), message: (...[, , , , data]) => kept.push(data) })
  keeping.append(Buffer.from('MSG a 1 3\r\none\r\nMSG a 1 3\r\ntwo\r\n'))
  keeping.append(Buffer.from('MSG a 1 5\r\nthree\r\n'))
  expect(kept.map(String)).toEqual(['one', 'two', 'three'])
  expect(() => inbound.append(Buffer.from('MSG a 1 0\r\n\r\n'))).not.toThrow()
})

test.each([
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['a greeting of something else', '220 mail.example ESMTP\r\n'],
  ['a message without its size', 'MSG a 1\r\n'],
  ['a message with too much on its line', 'MSG a 1 b c d e 3\r\n'],
  ['a size that is no number', 'MSG a 1 3x\r\nabc\r\n'],
  ['a subscription that is no number', 'MSG a x 3\r\nabc\r\n'],
  ['headers longer than the whole', 'HMSG a 1 9 3\r\nabc\r\n'],
  ['a line without an end', 'x'.repeat(300_000)],
  ['a message whose line has no end', `MSG ${'x'.repeat(300_000)}`],
])('%s is refused', (_what, said) => {
  const { heard, inbound } = record()
  expect(() => inbound.append(Buffer.from(said))).toThrow(TypeError)
  expect(heard).toEqual([])
})

test('no bytes at all make it hang or do anything but refuse', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(operation, fc.nat(400), fc.nat(255)).map(([one, at, byte]) => {
      const bytes = Buffer.from(written(one), 'latin1')
      bytes[at % bytes.length] = byte
      return bytes
    }),
  )
  fc.assert(
    fc.property(noise, (bytes) => {
      const { inbound } = record()
      try {
        inbound.append(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
      }
    }),
    { numRuns: 2_000 },
  )
})

import type { Message } from '../src/index.js'
import { maxMessageBytes } from '../src/index.js'
import type { BusPair } from './buses.js'
import { signalled } from './buses.js'

const bytes = (text: string) => Buffer.from(text)
const text = (message: Pick<Message, 'data'>) => Buffer.from(message.data).toString()

/** What the bus port guarantees, for every adapter and every way to connect. */
export const busSuite = (open: () => Promise<BusPair>): void => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  test('messages to one subject arrive in the order they were sent', async () => {
    const seen: string[] = []
    const last = signalled()
    pair.callee.subscribe('order', (message) => {
      seen.push(text(message))
      if (seen.length === 500) last.resolve()
    })
    await pair.callee.flush()
    for (let i = 0; i < 500; i++) pair.caller.publish('order', bytes(String(i)))
    await last.promise
    expect(seen).toEqual(Array.from({ length: 500 }, (_, i) => String(i)))
  })

  test('a message is delivered later, and changing the bytes after sending changes nothing', async () => {
    const got = signalled<string>()
    pair.callee.subscribe('copy', (message) => got.resolve(text(message)))
    await pair.callee.flush()
    const data = bytes('before')
    let returned = false
    pair.callee.subscribe('copy', () => expect(returned).toBe(true))
    pair.caller.publish('copy', data)
    returned = true
    // NATS writes at the end of the tick. The port guarantees that the bytes of a delivered message belong to the receiver.
    await got.promise.then((received) => expect(received).toBe('before'))
    data.fill(0)
    expect(await got.promise).toBe('before')
  })

  test('each receiver of a message gets its own copy of the bytes', async () => {
    const all = signalled()
    const seen: string[] = []
    const readAndOverwrite = (message: Message) => {
      seen.push(text(message))
      message.data.fill(0)
      if (seen.length === 3) all.resolve()
    }
    for (const subject of ['own', 'own', '*']) pair.callee.subscribe(subject, readAndOverwrite)
    await pair.callee.flush()
    pair.caller.publish('own', bytes('mine'))
    await all.promise
    expect(seen).toEqual(['mine', 'mine', 'mine'])
  })

  test('a message in several parts arrives whole, and the limit applies to their sum', async () => {
    const got = signalled<string>()
    pair.callee.subscribe('pieces', (message) => got.resolve(text(message)))
    await pair.callee.flush()
    const half = new Uint8Array(maxMessageBytes / 2 + 1)
    expect(() => pair.caller.publish('pieces', [half, half])).toThrow(RangeError)
    pair.caller.publish('pieces', [bytes('one '), bytes(''), bytes('two')])
    expect(await got.promise).toBe('one two')
  })

  test('one member of a queue group gets a message, and every subscriber without a group does', async () => {
    const counts = { a: 0, b: 0, outside: 0 }
    const all = signalled()
    const count = (who: keyof typeof counts) => () => {
      counts[who] += 1
      if (counts.a + counts.b === 200 && counts.outside === 200) all.resolve()
    }
    pair.callee.subscribe('work', count('a'), { queue: 'group' })
    pair.callee.subscribe('work', count('b'), { queue: 'group' })
    pair.callee.subscribe('work', count('outside'))
    await pair.callee.flush()
    for (let i = 0; i < 200; i++) pair.caller.publish('work', bytes('x'))
    await all.promise
    expect(counts.a).toBeGreaterThan(0)
    expect(counts.b).toBeGreaterThan(0)
  })

  test('a request to a subject without a subscriber is answered with noResponders', async () => {
    const answer = signalled<Message>()
    const inbox = pair.caller.inbox()
    pair.caller.subscribe(inbox, answer.resolve)
    await pair.caller.flush()
    pair.caller.publish('no.subscriber', bytes('?'), { reply: inbox })
    const message = await answer.promise
    expect(message.noResponders).toBe(true)
    expect(message.data).toHaveLength(0)
  })

  test('headers arrive under lower-case names', async () => {
    const got = signalled<Message>()
    pair.callee.subscribe('headers', got.resolve)
    await pair.callee.flush()
    pair.caller.publish('headers', bytes(''), { headers: { 'X-Request-Id': 'abc', traceparent: '00-1-2-01' } })
    expect((await got.promise).headers).toEqual({ 'x-request-id': 'abc', traceparent: '00-1-2-01' })
  })

  test.each([
    ['a.*', ['a.b'], ['a', 'a.b.c', 'b.b']],
    ['a.>', ['a.b', 'a.b.c'], ['a', 'b.c']],
    ['*.c', ['b.c'], ['c', 'b.c.d']],
  ])('the pattern %s matches its subjects and no others', async (pattern, matching, others) => {
    const seen: string[] = []
    const end = signalled()
    pair.callee.subscribe(pattern, (message) => seen.push(message.subject))
    pair.callee.subscribe('the.end.of.it', () => end.resolve())
    await pair.callee.flush()
    for (const subject of [...others, ...matching]) pair.caller.publish(subject, bytes(''))
    pair.caller.publish('the.end.of.it', bytes(''))
    await end.promise
    expect(seen).toEqual(matching)
  })

  test('a header with a line break is refused by publish', () => {
    expect(() => pair.caller.publish('headers', bytes(''), { headers: { a: 'b\r\nc: d' } })).toThrow(RangeError)
    expect(() => pair.caller.publish('headers', bytes(''), { headers: { 'a\n': 'b' } })).toThrow(RangeError)
  })

  test('header values may be empty and may contain colons and non-ASCII letters', async () => {
    const got = signalled<Message>()
    pair.callee.subscribe('headers', got.resolve)
    await pair.callee.flush()
    const headers = { colon: 'a: b', empty: '', name: 'Žofie' }
    pair.caller.publish('headers', bytes(''), { headers })
    expect((await got.promise).headers).toEqual(headers)
  })

  test('draining a subscription delivers what was accepted before it ends', async () => {
    let seen = 0
    const subscription = pair.callee.subscribe('drained', () => {
      seen += 1
    })
    await pair.callee.flush()
    for (let i = 0; i < 100; i++) pair.caller.publish('drained', bytes(''))
    await pair.caller.flush()
    await subscription.drain()
    expect(seen).toBe(100)
  })

  test('a message that is too large is refused by publish', () => {
    expect(() => pair.caller.publish('large', new Uint8Array(maxMessageBytes + 1))).toThrow(RangeError)
  })

  test('a closed bus refuses to publish', async () => {
    await pair.caller.close()
    expect(() => pair.caller.publish('closed', bytes(''))).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })
}

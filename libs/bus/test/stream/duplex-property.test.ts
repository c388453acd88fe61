import fc from 'fast-check'
import { callerFrame, encodeFrame, encodeWindow, handlerFrame } from '../../src/stream/stream-frame.js'
import { streamWindow } from '../../src/stream/stream-window.js'
import { requestHeaders } from '../../src/wire.js'
import { type BusPair, describeBuses, signalled } from '../buses.js'
import { type Chunk, callDialogue, serveDialogue, talkSubject } from './dialogue.js'

/** How one end behaves: the sizes of what it sends, and after which of the chunks it pauses. */
const script = fc.record({
  sizes: fc.array(fc.oneof(fc.nat(200), fc.constant(0), fc.constant(100_000)), { maxLength: 300 }),
  pausesSending: fc.infiniteStream(fc.boolean()),
  pausesTaking: fc.infiniteStream(fc.boolean()),
  awaitsRoom: fc.boolean(),
})
type Script = typeof script extends fc.Arbitrary<infer S> ? S : never

const pause = () => new Promise<void>((resolve) => setImmediate(resolve))

const sendAll = async ({ sizes, pausesSending, awaitsRoom }: Script, send: (chunk: Chunk) => void | Promise<void>) => {
  for (const [n, size] of sizes.entries()) {
    const sent = send({ n, data: new Uint8Array(size).fill(n) })
    if (awaitsRoom) await sent
    if (pausesSending.next().value) await pause()
  }
}
const taker =
  ({ pausesTaking }: Script, taken: Chunk[]) =>
  (chunk: Chunk) => {
    taken.push(chunk)
    return pausesTaking.next().value ? pause() : undefined
  }
const summary = (chunks: readonly Chunk[]) =>
  chunks.map(({ n, data }) => `${n}: ${data!.length} of ${data![0] ?? 'none'}`)
const expected = ({ sizes }: Script) => sizes.map((size, n) => `${n}: ${size} of ${size > 0 ? n & 255 : 'none'}`)

describeBuses('bidirectional streams', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  test('deliver everything that both ends send, at any pace of sending and receiving', async () => {
    let handlerScript!: Script
    let handlerTaken: Chunk[] = []
    await serveDialogue(pair, async (peer) => {
      const received = peer.receive(taker(handlerScript, handlerTaken))
      await sendAll(handlerScript, peer.send)
      await received
    })
    await fc.assert(
      fc.asyncProperty(script, script, async (ofCaller, ofHandler) => {
        handlerScript = ofHandler
        handlerTaken = []
        const callerTaken: Chunk[] = []
        const call = callDialogue(pair, taker(ofCaller, callerTaken))
        await sendAll(ofCaller, call.send)
        call.end()
        await call.ended
        expect(summary(handlerTaken)).toEqual(expected(ofCaller))
        expect(summary(callerTaken)).toEqual(expected(ofHandler))
      }),
      { numRuns: 25 },
    )
  })

  /** Frames of any kind and count, and bytes that are not frames. */
  const anyMessage = fc.oneof(
    fc
      .tuple(fc.nat(8), fc.oneof(fc.nat(5), fc.nat(2 ** 32 - 1)), fc.uint8Array({ maxLength: 40 }))
      .map(([kind, count, payload]) => Buffer.from(encodeFrame(kind, count, payload))),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  )
  const anyMessages = fc.array(anyMessage, { maxLength: 20 })

  test('end for a caller whatever its handler sends, and no sink receives a chunk that violates the contract', async () => {
    let messages: Buffer[] = []
    const control = pair.callee.inbox()
    pair.callee.subscribe(control, () => undefined)
    pair.callee.subscribe(talkSubject, ({ reply }) => {
      pair.callee.publish(reply!, encodeFrame(handlerFrame.open, 0, encodeWindow(streamWindow)), { reply: control })
      for (const message of messages) pair.callee.publish(reply!, message)
      pair.callee.publish(reply!, encodeFrame(handlerFrame.end, 0))
    })
    await pair.callee.flush()
    await fc.assert(
      fc.asyncProperty(anyMessages, async (generated) => {
        messages = generated
        const call = callDialogue(pair)
        await call.ended.catch((error) => expect(error).toMatchObject({ code: expect.any(String) }))
        for (const { n } of call.received) expect(n).toEqual(expect.any(Number))
      }),
      { numRuns: 200 },
    )
  })

  test('end for a handler whatever its caller sends, and the next caller is served', async () => {
    let over = signalled()
    await serveDialogue(pair, (peer) => peer.receive((chunk) => peer.send(chunk)).finally(() => over.resolve()))
    await fc.assert(
      fc.asyncProperty(anyMessages, async (messages) => {
        over = signalled()
        const inbox = pair.caller.inbox()
        const subscription = pair.caller.subscribe(inbox, ({ data, reply }) => {
          if (data[0] !== handlerFrame.open) return
          for (const message of messages) pair.caller.publish(reply!, message)
          pair.caller.publish(reply!, encodeFrame(callerFrame.cancel))
        })
        const headers = { [requestHeaders.windowChunks]: '128', [requestHeaders.windowBytes]: '100000' }
        pair.caller.publish(talkSubject, Buffer.from('{"topic":"any"}'), { reply: inbox, headers })
        await over.promise
        subscription.unsubscribe()
      }),
      { numRuns: 200 },
    )
    const call = callDialogue(pair)
    await call.send({ n: 7 })
    call.end()
    await call.ended
    expect(call.received).toEqual([{ n: 7 }])
  })
})

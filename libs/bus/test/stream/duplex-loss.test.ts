import { missingReplyOf } from '../../src/index.js'
import { callerFrame, encodeChunk, encodeFrame, encodeWindow, handlerFrame } from '../../src/stream/stream-frame.js'
import { streamWindow } from '../../src/stream/stream-window.js'
import { requestHeaders } from '../../src/wire.js'
import { type BusPair, describeBuses, signalled } from '../buses.js'
import { callDialogue, serveDialogue, talkSubject } from './dialogue.js'

describeBuses('a bidirectional stream with a lost end', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  /** A handler that sends these frames and then nothing. `end` is what the end of its process does on the bus. */
  const serveFrames = async (...frames: Uint8Array[]) => {
    const control = pair.callee.inbox()
    const kinds: number[] = []
    const reply = signalled<string>()
    pair.callee.subscribe(talkSubject, (message) => {
      const opened = encodeFrame(handlerFrame.open, 0, encodeWindow(streamWindow))
      pair.callee.publish(message.reply!, opened, { reply: control })
      for (const frame of frames) pair.callee.publish(message.reply!, frame)
      reply.resolve(message.reply!)
    })
    const subscription = pair.callee.subscribe(control, ({ data }) => kinds.push(data[0]!))
    await pair.callee.flush()
    return { end: () => subscription.unsubscribe(), kinds, reply: reply.promise }
  }

  /** A caller that sends these frames and then nothing. The kinds of the frames it receives are in `kinds`. */
  const callWithFrames = async (...frames: Uint8Array[]) => {
    const inbox = pair.caller.inbox()
    const kinds: number[] = []
    const failed = signalled()
    const subscription = pair.caller.subscribe(inbox, ({ data, reply }) => {
      kinds.push(data[0]!)
      if (data[0] === handlerFrame.error) failed.resolve()
      if (data[0] === handlerFrame.open) for (const frame of frames) pair.caller.publish(reply!, frame)
    })
    await pair.caller.flush()
    const headers = { [requestHeaders.windowChunks]: '128', [requestHeaders.windowBytes]: '100000' }
    pair.caller.publish(talkSubject, Buffer.from('{"topic":"any"}'), { reply: inbox, headers })
    return { end: () => subscription.unsubscribe(), kinds, failed: failed.promise }
  }

  const callerChunk = (n: number) => Buffer.concat(encodeChunk(callerFrame, n, { n }))
  const handlerChunk = (n: number) => Buffer.concat(encodeChunk(handlerFrame, n, { n }))

  /** A handler that takes every chunk; resolves with the way its input ended. */
  const serveInput = async () => {
    const taken: number[] = []
    const ended = signalled<unknown>()
    const aborted = signalled<unknown>()
    await serveDialogue(pair, async (peer, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason))
      await peer
        .receive(({ n }) => void taken.push(n))
        .then(
          () => ended.resolve('end'),
          (reason: unknown) => ended.resolve(reason),
        )
    })
    return { taken, ended: ended.promise, aborted: aborted.promise }
  }

  test('fails with unavailable when the process of the handler ends', async () => {
    const handler = await serveFrames(handlerChunk(0))
    const call = callDialogue(pair)
    await handler.reply
    handler.end()
    const failure: unknown = await call.ended.catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBe('incomplete')
    expect(call.received).toEqual([{ n: 0 }])
  })

  test('fails with unavailable when the handler falls silent, and the handler is cancelled', async () => {
    const handler = await serveFrames()
    const call = callDialogue(pair)
    await expect(call.ended).rejects.toMatchObject({ code: 'unavailable' })
    await pair.caller.flush()
    await pair.callee.flush()
    expect(handler.kinds.at(-1)).toBe(callerFrame.cancel)
  })

  test('fails with unavailable when the handler does not answer', async () => {
    pair.callee.subscribe(talkSubject, () => undefined)
    await pair.callee.flush()
    const failure: unknown = await callDialogue(pair).ended.catch((error) => error)
    expect(missingReplyOf(failure)).toBe('no-reply')
  })

  test('stays open while both ends are alive, even if neither sends a chunk', async () => {
    const input = await serveInput()
    const call = callDialogue(pair)
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await call.send({ n: 1 })
    call.end()
    await call.ended
    expect(await input.ended).toBe('end')
    expect(input.taken).toEqual([1])
  })

  test('aborts the handler when the process of the caller ends, long before it would count as silent', async () => {
    const input = await serveInput()
    const caller = await callWithFrames(callerChunk(0))
    while (input.taken.length === 0) await new Promise(setImmediate)
    caller.end()
    expect(await input.ended).toMatchObject({ message: 'the process of the caller has ended' })
    expect(input.taken).toEqual([0])
  })

  test('aborts the handler when the caller falls silent', async () => {
    const input = await serveInput()
    await callWithFrames(callerChunk(0))
    expect(await input.ended).toMatchObject({ message: 'the caller has been silent for too long' })
    await input.aborted
  })

  test.each([
    ['a chunk', [callerChunk(0), callerChunk(2)]],
    ['the last chunk', [callerChunk(0), encodeFrame(callerFrame.end, 2)]],
  ])('reports a lost chunk to both ends: %s of the caller never just disappears', async (_, frames) => {
    const input = await serveInput()
    const caller = await callWithFrames(...frames)
    expect(await input.ended).toMatchObject({ code: 'upstream_error' })
    expect(input.taken).toEqual([0])
    await caller.failed
  })

  test.each([
    ['a chunk', [handlerChunk(0), handlerChunk(2)]],
    ['the last chunk', [handlerChunk(0), encodeFrame(handlerFrame.end, 2)]],
  ])('reports a lost chunk: %s of the handler never just disappears', async (_, frames) => {
    const handler = await serveFrames(...frames)
    const call = callDialogue(pair)
    const failure: unknown = await call.ended.catch((error) => error)
    expect(failure).toMatchObject({ code: 'upstream_error' })
    expect(missingReplyOf(failure)).toBe('incomplete')
    await pair.caller.flush()
    await pair.callee.flush()
    expect(handler.kinds).toContain(callerFrame.cancel)
  })
})

import { vi } from 'vitest'
import { piecesOf } from '../../src/bus.js'
import { missingReplyOf } from '../../src/index.js'
import { callerFrame, visitFrames } from '../../src/stream/stream-frame.js'
import { streamWindow } from '../../src/stream/stream-window.js'
import { type BusPair, describeBuses, signalled } from '../buses.js'
import { type Chunk, callDialogue, numbered, type Peer, serveDialogue } from './dialogue.js'

const echo = (peer: Peer): Promise<void> => peer.receive((chunk) => peer.send(chunk))

describeBuses('a bidirectional stream', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  test('delivers the chunks of both directions in order, each once, with their bytes', async () => {
    await serveDialogue(pair, echo)
    const call = callDialogue(pair)
    const sent: Chunk[] = []
    for (let n = 0; n < 1_000; n++) {
      const chunk = { n, data: Buffer.from([n & 255, 7]) }
      sent.push(chunk)
      await call.send(chunk)
    }
    call.end()
    await call.ended
    expect(call.received).toEqual(sent)
  })

  test('delivers empty data as data', async () => {
    await serveDialogue(pair, echo)
    const call = callDialogue(pair)
    await call.send({ n: 0, data: new Uint8Array(0) })
    call.end()
    await call.ended
    expect(call.received[0]!.data).toHaveLength(0)
  })

  test('lets the handler continue to send after the caller has ended its direction', async () => {
    await serveDialogue(pair, async (peer) => {
      await peer.receive(() => undefined)
      for (const chunk of numbered(300)) await peer.send(chunk)
    })
    const call = callDialogue(pair)
    call.end()
    await call.ended
    expect(call.received).toEqual(numbered(300))
  })

  test('ends with its handler, although the caller has not ended', async () => {
    await serveDialogue(pair, async (peer) => {
      await peer.send({ n: 1 })
    })
    const call = callDialogue(pair)
    await call.ended
    expect(call.received).toEqual([{ n: 1 }])
    expect(call.send({ n: 2 })).toBeUndefined()
  })

  test('sends every chunk before its end, awaited or not', async () => {
    await serveDialogue(pair, async (peer) => {
      await peer.receive(() => undefined)
      for (const chunk of numbered(3 * streamWindow.chunks)) void peer.send(chunk)
    })
    let taken = 0
    const call = callDialogue(pair, async () => {
      await new Promise(setImmediate)
      taken += 1
    })
    call.end()
    await call.ended
    expect(taken).toBe(3 * streamWindow.chunks)
  })

  test('lets a caller send no more than a window to a handler that takes nothing, and then all the rest', async () => {
    const go = signalled()
    const taken: number[] = []
    await serveDialogue(pair, (peer) =>
      peer.receive(({ n }) => {
        taken.push(n)
        return go.promise
      }),
    )
    const call = callDialogue(pair)
    let accepted = 0
    const sendAll = async () => {
      for (const chunk of numbered(1_000)) {
        await call.send(chunk)
        accepted += 1
      }
    }
    const all = sendAll()
    const deadlineMs = performance.now() + 20_000
    while (accepted < streamWindow.chunks && performance.now() < deadlineMs) await new Promise(setImmediate)
    for (let round = 0; round < 3; round++) await Promise.all([pair.caller.flush(), pair.callee.flush()])
    expect(accepted).toBe(streamWindow.chunks)
    expect(taken).toEqual([0])
    go.resolve()
    await all
    call.end()
    await call.ended
    expect(taken).toEqual(numbered(1_000).map(({ n }) => n))
  })

  test('lets a handler send no more than a window of bytes to a caller that takes nothing', async () => {
    const go = signalled()
    let accepted = 0
    await serveDialogue(pair, async (peer) => {
      for (let n = 0; n < 20; n++) {
        await peer.send({ n, data: new Uint8Array(streamWindow.bytes / 4) })
        accepted += 1
      }
    })
    const begun = signalled()
    const call = callDialogue(pair, () => {
      begun.resolve()
      return go.promise
    })
    await begun.promise
    for (let round = 0; round < 5; round++) await Promise.all([pair.caller.flush(), pair.callee.flush()])
    expect(accepted).toBeLessThanOrEqual(4)
    go.resolve()
    await call.ended
    expect(call.received).toHaveLength(20)
  })

  test('sends the chunks of one tick in one message', async () => {
    const first = signalled()
    const last = signalled()
    await serveDialogue(pair, (peer) => peer.receive(({ n }) => (n === 49 ? last : first).resolve()))
    const call = callDialogue(pair)
    void call.send({ n: -1 })
    await first.promise
    const messages: number[] = []
    const publish = pair.caller.publish.bind(pair.caller)
    vi.spyOn(pair.caller, 'publish').mockImplementation((subject, data, options) => {
      let chunks = 0
      visitFrames(Buffer.concat(piecesOf(data)), (kind) => {
        if (kind === callerFrame.chunk) chunks += 1
      })
      if (subject.startsWith('_INBOX') && chunks > 1) messages.push(chunks)
      publish(subject, data, options)
    })
    for (let n = 0; n < 50; n++) void call.send({ n })
    await last.promise
    expect(messages).toEqual([50])
    call.cancel(new Error('done'))
  })

  test('that the caller cancels rejects with its reason at once, and aborts the handler', async () => {
    const aborted = signalled()
    const inputFailure = signalled<unknown>()
    const begun = signalled()
    await serveDialogue(pair, async (peer, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      peer.receive(() => begun.resolve()).catch(inputFailure.resolve)
      await aborted.promise
    })
    const call = callDialogue(pair)
    void call.send({ n: 0 })
    await begun.promise
    const reason = new Error('hung up')
    call.cancel(reason)
    await expect(call.ended).rejects.toBe(reason)
    await aborted.promise
    expect(await inputFailure.promise).toMatchObject({ message: 'the caller has left' })
  })

  test('that the caller cancels before the handler has answered aborts the handler too', async () => {
    const aborted = signalled()
    await serveDialogue(pair, async (_peer, { signal }) => {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      aborted.resolve()
    })
    const call = callDialogue(pair)
    call.cancel(new Error('at once'))
    await expect(call.ended).rejects.toThrow('at once')
    await aborted.promise
  })

  test('that the caller cancels delivers no more chunks to it', async () => {
    const stop = new Error('enough')
    const aborted = signalled()
    await serveDialogue(pair, async (peer, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      for (const chunk of numbered(100)) await peer.send(chunk)
      await aborted.promise
    })
    const call = callDialogue(pair, ({ n }) => {
      if (n === 3) throw stop
    })
    await expect(call.ended).rejects.toBe(stop)
    await aborted.promise
    expect(call.received).toEqual(numbered(4))
  })

  test('fails with the error of its handler, after all chunks that came before', async () => {
    await serveDialogue(pair, async (peer, { fail }) => {
      await peer.send({ n: 0 })
      await peer.send({ n: 1 })
      fail('not_found', 'There is no such topic.')
    })
    const call = callDialogue(pair, () => new Promise(setImmediate))
    await expect(call.ended).rejects.toMatchObject({ code: 'not_found' })
    expect(call.received).toEqual(numbered(2))
  })

  test('fails as internal_error with what its handler throws otherwise, and with what the handler’s sink throws', async () => {
    await serveDialogue(pair, (peer) =>
      peer.receive(() => {
        throw new Error('password is hunter2')
      }),
    )
    const call = callDialogue(pair)
    void call.send({ n: 0 })
    const failure: unknown = await call.ended.catch((error) => error)
    expect(failure).toMatchObject({ code: 'internal_error' })
    expect((failure as Error).message).not.toContain('hunter2')
  })

  test('is refused for a request that breaks the contract', async () => {
    await serveDialogue(pair, echo)
    await expect(callDialogue(pair, undefined, '').ended).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('is refused for a chunk of the caller that breaks the contract, and the handler is aborted', async () => {
    const inputFailure = signalled<unknown>()
    await serveDialogue(pair, (peer) => peer.receive(() => undefined).catch(inputFailure.resolve))
    const call = callDialogue(pair)
    void call.send({ n: 'one' } as never)
    await expect(call.ended).rejects.toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('n') })
    expect(await inputFailure.promise).toMatchObject({ code: 'invalid_request' })
  })

  test('fails for a chunk of the handler that breaks the contract, and the handler is aborted', async () => {
    const aborted = signalled()
    await serveDialogue(pair, async (peer, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      void peer.send({ n: 'one' } as never)
      await aborted.promise
    })
    await expect(callDialogue(pair).ended).rejects.toMatchObject({ code: 'internal_error' })
    await aborted.promise
  })

  test('that no instance serves fails at once as unavailable', async () => {
    const failure: unknown = await callDialogue(pair).ended.catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBe('no-responders')
  })

  test('in progress is ended before its service stops', async () => {
    const go = signalled()
    const begun = signalled()
    const served = await serveDialogue(pair, async (peer) => {
      begun.resolve()
      await go.promise
      await peer.send({ n: 1 })
    })
    const call = callDialogue(pair)
    await begun.promise
    const stopped = served.stop()
    go.resolve()
    await call.ended
    expect(call.received).toEqual([{ n: 1 }])
    await stopped
  })

  test('two hundred streams at once do not mix', async () => {
    await serveDialogue(pair, echo)
    await Promise.all(
      Array.from({ length: 200 }, async (_, id) => {
        const call = callDialogue(pair)
        const sent = Array.from({ length: 20 }, (_, n) => ({ n: id * 100 + n }))
        for (const chunk of sent) {
          await call.send(chunk)
          await new Promise(setImmediate)
        }
        call.end()
        await call.ended
        expect(call.received).toEqual(sent)
      }),
    )
  })
})

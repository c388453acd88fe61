/**
 * What goes to one client, in order. The first message of a tick goes to the kernel at once, those that follow in the same
 * tick go at its end in one piece. Nothing is queued here without bound: who sends audio waits for `writable` before
 * the next chunk, and a client that takes nothing for `stalledAfterMs` is closed with 4408.
 */
import type { Duplex } from 'node:stream'
import { streamCloseCodes } from '@parlance/contracts'
import type { WebSocket } from 'ws'
import { createReadReceipts } from './read-receipts.js'
import { keepServerFrame } from './server-frame.js'
import { presentTick } from './tick.js'

export interface SocketOutlet<Message extends object> {
  send(message: Message): void
  /** Sends a message as it is: text for a string. */
  pass(message: string | Uint8Array): void
  /** Sends the frame that was allocated last, see `server-frame.ts`; it holds so much audio. */
  sendFrame(frame: Buffer, audioMs: number): void
  /** Whether audio may be sent now, be it to be dropped since the client is gone. */
  isWritable(): boolean
  /** Resolves when the client has taken most of what was sent, or is gone. */
  writable(): Promise<void>
  close(code: number, reason: string): void
}

/** What waits to be sent, and what was sent and not read, at which audio waits. */
const mostUnsentBytes = 1024 * 1024
const mostUnreadMs = 10_000
const stalledAfterMs = 30_000
const lookAgainMs = 250
/** How long a client may take to answer a close before its connection is cut. */
const closeWithinMs = 2_000

/** `wire` is what the socket writes to; without compression it does so at once, so that frames of both ways keep their order. */
export const createSocketOutlet = <Message extends object>(
  socket: WebSocket,
  wire: Pick<Duplex, 'cork' | 'uncork' | 'write' | 'writableLength'>,
): SocketOutlet<Message> => {
  const receipts = createReadReceipts({
    onPong: (listener) => socket.on('pong', listener),
    ping(payload) {
      gather()
      socket.ping(payload)
    },
  })
  const { unread, sent } = receipts
  let writtenInTick = -1
  let gathering = false
  let draining: Promise<void> | undefined

  const close = (code: number, reason: string) => {
    if (socket.readyState !== socket.OPEN) return
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), closeWithinMs).unref()
  }

  /** What is sent to one who is gone is dropped at once: nobody waits for him. */
  const isWritable = (unsentBytes = mostUnsentBytes) =>
    socket.readyState !== socket.OPEN || (wire.writableLength <= unsentBytes && unread.ms <= mostUnreadMs)

  const someTime = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookAgainMs)
      receipts.onNext(() => {
        clearTimeout(timer)
        resolve()
      })
    })

  const drain = async (): Promise<void> => {
    let seen = { leftBytes: wire.writableLength, receipts: receipts.count() }
    let movedAtMs = performance.now()
    while (!isWritable(mostUnsentBytes / 2)) {
      await someTime()
      const now = { leftBytes: wire.writableLength, receipts: receipts.count() }
      if (now.leftBytes < seen.leftBytes || now.receipts > seen.receipts) {
        seen = now
        movedAtMs = performance.now()
      } else if (performance.now() - movedAtMs > stalledAfterMs) {
        close(streamCloseCodes.timedOut, 'nothing was read for 30 s')
      }
    }
    draining = undefined
  }

  /** The first message of a tick is most often its only one: waiting for others would cost more than a second write. */
  const gather = () => {
    if (gathering) return
    const tick = presentTick()
    if (tick !== writtenInTick) {
      writtenInTick = tick
      return
    }
    gathering = true
    wire.cork()
    setImmediate(scatter)
  }
  const scatter = () => {
    gathering = false
    wire.uncork()
  }

  const pass = (message: string | Uint8Array) => {
    if (socket.readyState !== socket.OPEN) return
    gather()
    socket.send(message)
  }

  return {
    send: (message) => pass(JSON.stringify(message)),
    pass,
    sendFrame(frame, audioMs) {
      if (socket.readyState !== socket.OPEN) return
      gather()
      wire.write(frame)
      if (wire.writableLength > 0) keepServerFrame()
      sent(audioMs)
    },
    isWritable,
    async writable() {
      if (isWritable()) return
      draining ??= drain()
      await draining
    },
    close,
  }
}

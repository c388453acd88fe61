/**
 * The messages to one client, in order. The first message of a tick is written at once; the messages that follow it in the
 * same tick are written together at its end. The queue has no limit: a sender of audio waits for `writable`
 * before the next chunk, and a client that reads nothing for 30 s is closed with 4408.
 */
import type { Duplex } from 'node:stream'
import { streamCloseCodes } from '@parlance/contracts'
import type { WebSocket } from 'ws'
import { createFrameWriter, type FramePayload } from './frame-writer.js'
import { createReadReceipts } from './read-receipts.js'

let tick = 0
let isEndScheduled = false

const onTickEnd = () => {
  tick += 1
  isEndScheduled = false
}

/** The number of the current tick of the event loop, which changes with the next `setImmediate` callbacks. */
const presentTick = (): number => {
  if (!isEndScheduled) {
    isEndScheduled = true
    setImmediate(onTickEnd)
  }
  return tick
}

export interface OutboundQueue<Message extends object> {
  /** Sends a message as JSON text. */
  send(message: Message): void
  /** Sends a message unchanged: a string as text, bytes as binary. */
  pass(message: string | Uint8Array): void
  /** False once the connection is being closed. Later messages are dropped. */
  isOpen(): boolean
  /** Sends a frame with the given amount of audio. */
  sendFrame(payload: FramePayload, audioMs: number): void
  /** Whether audio may be sent now. Also true after the client has disconnected, since audio is then dropped. */
  isWritable(): boolean
  /** Resolves when audio may be sent again: the client has read most of it or has disconnected. */
  writable(): Promise<void>
  /** Closes the connection, and cuts it 2 s later if the client does not answer. */
  close(code: number, reason: string): void
}

/** Audio waits while more than this was not accepted by the kernel, or was not read by the client. */
const maxUnsentBytes = 1024 * 1024
const maxUnreadMs = 10_000
const stalledAfterMs = 30_000
const checkEveryMs = 250
const closeWithinMs = 2_000

/**
 * `rawSocket` is what `socket` writes to. Without compression `ws` writes each frame at once, so frames that are written
 * here and frames of `ws` keep their order.
 */
export const createOutboundQueue = <Message extends object>(
  socket: WebSocket,
  rawSocket: Pick<Duplex, 'cork' | 'uncork' | 'write' | 'writableLength'>,
): OutboundQueue<Message> => {
  const receipts = createReadReceipts({
    onPong: (listener) => socket.on('pong', listener),
    ping(payload) {
      batch()
      socket.ping(payload)
    },
  })
  const { unread, sent } = receipts
  const writeFrame = createFrameWriter(rawSocket)
  let lastTick = -1
  let isCorked = false
  let draining: Promise<void> | undefined

  const isOpen = () => socket.readyState === socket.OPEN

  const close = (code: number, reason: string) => {
    if (!isOpen()) return
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), closeWithinMs).unref()
  }

  const isWritable = (unsentBytes = maxUnsentBytes) =>
    !isOpen() || (rawSocket.writableLength <= unsentBytes && unread.ms <= maxUnreadMs)

  /** Resolves at the next receipt, or after `checkEveryMs`. */
  const nextCheck = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, checkEveryMs)
      receipts.onNext(() => {
        clearTimeout(timer)
        resolve()
      })
    })

  const drain = async (): Promise<void> => {
    let last = { unsentBytes: rawSocket.writableLength, receipts: receipts.count() }
    let progressAtMs = performance.now()
    while (!isWritable(maxUnsentBytes / 2)) {
      await nextCheck()
      const now = { unsentBytes: rawSocket.writableLength, receipts: receipts.count() }
      if (now.unsentBytes < last.unsentBytes || now.receipts > last.receipts) {
        last = now
        progressAtMs = performance.now()
      } else if (performance.now() - progressAtMs > stalledAfterMs) {
        close(streamCloseCodes.timedOut, 'nothing was read for 30 s')
      }
    }
    draining = undefined
  }

  /** The first message of a tick is usually the only one, so corking for it would cost more than a second write. */
  const batch = () => {
    if (isCorked) return
    const tick = presentTick()
    if (tick !== lastTick) {
      lastTick = tick
      return
    }
    isCorked = true
    rawSocket.cork()
    setImmediate(uncork)
  }
  const uncork = () => {
    isCorked = false
    rawSocket.uncork()
  }

  const pass = (message: string | Uint8Array) => {
    if (!isOpen()) return
    batch()
    socket.send(message)
  }

  return {
    send: (message) => pass(JSON.stringify(message)),
    pass,
    isOpen,
    sendFrame(payload, audioMs) {
      if (!isOpen()) return
      batch()
      writeFrame(payload)
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

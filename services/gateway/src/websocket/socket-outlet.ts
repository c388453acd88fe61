/**
 * What goes to one client, in order. What is sent in one turn of the event loop goes to the kernel in one piece. Nothing is queued here without bound: who sends audio waits for `writable` before the
 * next chunk, and a client that takes nothing for `stalledAfterMs` is closed with 4408.
 */
import type { Duplex } from 'node:stream'
import { streamCloseCodes } from '@parlance/contracts'
import type { WebSocket } from 'ws'

export interface SocketOutlet<Message extends object> {
  send(message: Message): void
  sendFrame(frame: string | Buffer): void
  /** Resolves when the client has taken most of what was sent, or is gone. */
  writable(): Promise<void>
  close(code: number, reason: string): void
}

/** Unsent bytes at which audio waits. */
const mostUnsentBytes = 1024 * 1024
const stalledAfterMs = 30_000
/** How long a client may take to answer a close before its connection is cut. */
const closeWithinMs = 2_000

/** `wire` is what the socket writes to. */
export const createSocketOutlet = <Message extends object>(
  socket: WebSocket,
  wire: Pick<Duplex, 'cork' | 'uncork'>,
): SocketOutlet<Message> => {
  let gathering = false
  let draining: Promise<void> | undefined

  const close = (code: number, reason: string) => {
    if (socket.readyState !== socket.OPEN) return
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), closeWithinMs).unref()
  }

  const drain = async (): Promise<void> => {
    let leftBytes = socket.bufferedAmount
    let checkedAtMs = performance.now()
    while (socket.readyState === socket.OPEN && socket.bufferedAmount > mostUnsentBytes / 2) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (socket.bufferedAmount < leftBytes) {
        leftBytes = socket.bufferedAmount
        checkedAtMs = performance.now()
      } else if (performance.now() - checkedAtMs > stalledAfterMs) {
        close(streamCloseCodes.timedOut, 'nothing was read for 30 s')
      }
    }
    draining = undefined
  }

  const gather = () => {
    if (gathering) return
    gathering = true
    wire.cork()
    setImmediate(() => {
      gathering = false
      wire.uncork()
    })
  }

  const sendFrame = (frame: string | Buffer) => {
    if (socket.readyState !== socket.OPEN) return
    gather()
    socket.send(frame)
  }
  return {
    send: (message) => sendFrame(JSON.stringify(message)),
    sendFrame,
    async writable() {
      if (socket.bufferedAmount <= mostUnsentBytes) return
      draining ??= drain()
      await draining
    },
    close,
  }
}

/**
 * How much of what was sent a client has not read yet. A kernel takes a minute of audio for a reader that has stopped, and
 * looks as if it had sent it. But a WebSocket answers a ping in its turn among all that it reads, so a ping behind the
 * audio says when that was read.
 */

export interface ReadReceipts {
  /** So much audio was sent, in ms. */
  sent(audioMs: number): void
  unreadMs(): number
  /** How often the client has told that it reads. */
  count(): number
  /** Calls back at the next receipt. */
  onNext(listener: () => void): void
}

/** The two control frames of RFC 6455, 5.5, that go there and back. */
export interface PingedClient {
  ping(payload: Buffer): void
  onPong(listener: (payload: Buffer) => void): void
}

/** A ping behind every frame would cost as much as the frame: each wakes both sides. */
const askEveryMs = 8_000

export const createReadReceipts = (client: PingedClient): ReadReceipts => {
  // Fields, as in `playhead.ts`.
  const total = { sentMs: 0, readMs: 0 }
  let asked: { readonly sentMs: number; readonly payload: Buffer } | undefined
  let receipts = 0
  let next: (() => void) | undefined

  const unreadMs = () => total.sentMs - total.readMs

  const ask = () => {
    const payload = Buffer.allocUnsafe(4)
    payload.writeUInt32BE(receipts)
    asked = { sentMs: total.sentMs, payload }
    client.ping(payload)
  }
  client.onPong((payload) => {
    if (asked === undefined || !asked.payload.equals(payload)) return
    total.readMs = asked.sentMs
    asked = undefined
    receipts += 1
    if (unreadMs() >= askEveryMs) ask()
    next?.()
    next = undefined
  })

  return {
    sent(audioMs) {
      total.sentMs += audioMs
      if (asked === undefined && unreadMs() >= askEveryMs) ask()
    },
    unreadMs,
    count: () => receipts,
    onNext(listener) {
      next = listener
    },
  }
}

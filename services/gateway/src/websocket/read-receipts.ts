/**
 * How much of what was sent a client has not read yet. A kernel takes a minute of audio for a reader that has stopped, and
 * looks as if it had sent it. But a WebSocket answers a ping in its turn among all that it reads, so a ping behind the
 * audio says when that was read.
 */
export interface ReadReceipts {
  /** So much audio was sent, in ms. */
  sent(audioMs: number): void
  /** How much of it is not known to be read; to be looked at, and a place in memory since that is done for each frame. */
  readonly unread: { readonly ms: number }
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
  const unread = { ms: 0 }
  let asked: { readonly unreadMs: number; readonly payload: Buffer } | undefined
  let receipts = 0
  let next: (() => void) | undefined

  const ask = () => {
    const payload = Buffer.allocUnsafe(4)
    payload.writeUInt32BE(receipts)
    asked = { unreadMs: unread.ms, payload }
    client.ping(payload)
  }
  client.onPong((payload) => {
    if (asked === undefined || !asked.payload.equals(payload)) return
    // A rest of what fractions add up to is nothing.
    unread.ms = Math.max(0, unread.ms - asked.unreadMs)
    asked = undefined
    receipts += 1
    if (unread.ms >= askEveryMs) ask()
    next?.()
    next = undefined
  })

  return {
    sent(audioMs) {
      unread.ms += audioMs
      if (asked === undefined && unread.ms >= askEveryMs) ask()
    },
    unread,
    count: () => receipts,
    onNext(listener) {
      next = listener
    },
  }
}

/**
 * Measures how much of the audio that was sent a client has not read yet. A kernel buffers a minute of audio for a reader
 * that has stopped, so the size of our own queue does not show that. A client answers a ping (RFC 6455, section 5.5.2) in
 * order with everything else that it reads, so the pong to a ping after the audio shows that the audio was read.
 */
interface PingedClient {
  ping(payload: Buffer): void
  onPong(listener: (payload: Buffer) => void): void
}

/** The interval of pings. A ping after every frame would cost as much as the frame, since each wakes both sides. */
const pingEveryMs = 8_000

export const createReadReceipts = (client: PingedClient) => {
  const unread = { ms: 0 }
  let pending: { readonly unreadMs: number; readonly payload: Buffer } | undefined
  let receipts = 0
  let next: (() => void) | undefined

  const ping = () => {
    const payload = Buffer.allocUnsafe(4)
    payload.writeUInt32BE(receipts)
    pending = { unreadMs: unread.ms, payload }
    client.ping(payload)
  }
  client.onPong((payload) => {
    if (pending === undefined || !pending.payload.equals(payload)) return
    // The difference may be just below zero: fractions of a millisecond are added and subtracted in different orders.
    unread.ms = Math.max(0, unread.ms - pending.unreadMs)
    pending = undefined
    receipts += 1
    if (unread.ms >= pingEveryMs) ping()
    next?.()
    next = undefined
  })

  return {
    /** Counts audio that was sent. */
    sent(audioMs: number): void {
      unread.ms += audioMs
      if (pending === undefined && unread.ms >= pingEveryMs) ping()
    },
    /** The audio that may not have been read. An object, because it is accessed for each frame. */
    unread: unread as { readonly ms: number },
    /** The number of receipts so far. */
    count: () => receipts,
    /** Sets the callback of the next receipt. */
    onNext(listener: () => void): void {
      next = listener
    },
  }
}

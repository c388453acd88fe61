/** The limit of data in flight to a receiver: a maximum of chunks, and no further chunk once they reach a number of bytes. */
export interface StreamWindow {
  readonly chunks: number
  readonly bytes: number
}

/**
 * The window of every receiver. A receiver that has stopped reading keeps this much in the bus, ahead of the chunks of all
 * others.
 */
export const streamWindow: StreamWindow = { chunks: 128, bytes: 256 * 1024 }

/**
 * The amount that a receiver takes before it grants credit for it. Less would cost messages; more would block the sender
 * although the receiver is ready.
 */
export const creditThreshold: StreamWindow = { chunks: streamWindow.chunks * 0.75, bytes: streamWindow.bytes * 0.75 }

/** A receiver's window as its sender sees it. */
export interface SendWindow {
  isOpen(): boolean
  sent(bytes: number): void
  /** The receiver has taken the oldest `chunks`. */
  granted(chunks: number): void
}

export const createSendWindow = ({ chunks, bytes }: StreamWindow): SendWindow => {
  const underWay: number[] = []
  let bytesUnderWay = 0
  return {
    isOpen: () => underWay.length < chunks && bytesUnderWay < bytes,
    sent(length) {
      underWay.push(length)
      bytesUnderWay += length
    },
    granted(count) {
      for (const length of underWay.splice(0, count)) bytesUnderWay -= length
    },
  }
}

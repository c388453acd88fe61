/** The limit of data in flight to a receiver: a maximum of chunks, and no further chunk once they reach a number of bytes. */
export interface StreamWindow {
  readonly chunks: number
  readonly bytes: number
}

/**
 * The window of every receiver. Up to this much is held in the bus for a receiver that has stopped reading, ahead of the
 * chunks of all other receivers.
 */
export const streamWindow: StreamWindow = { chunks: 128, bytes: 256 * 1024 }

/**
 * The amount that a receiver takes before it updates the window. Less would cost messages; more would block the sender
 * although the receiver is ready.
 */
export const windowUpdateThreshold: StreamWindow = {
  chunks: streamWindow.chunks * 0.75,
  bytes: streamWindow.bytes * 0.75,
}

/** A receiver's window as its sender sees it. */
export const createSendWindow = ({ chunks, bytes }: StreamWindow) => {
  const inFlight: number[] = []
  let bytesInFlight = 0
  return {
    isOpen: (): boolean => inFlight.length < chunks && bytesInFlight < bytes,
    sent(length: number): void {
      inFlight.push(length)
      bytesInFlight += length
    },
    /** The receiver has taken the oldest `chunks`. */
    taken(count: number): void {
      for (const length of inFlight.splice(0, count)) bytesInFlight -= length
    },
  }
}

export type SendWindow = ReturnType<typeof createSendWindow>

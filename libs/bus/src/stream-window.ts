/** How much a consumer lets be under way to it: so many chunks, and none more once they come to so many bytes. */
export interface StreamWindow {
  readonly chunks: number
  readonly bytes: number
}

/** What a producer may send by its consumer's window. */
export interface SendWindow {
  isOpen(): boolean
  sent(bytes: number): void
  /** The consumer has taken the oldest so many. */
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

/** What a consumer has taken and not told its producer of. */
export interface Consumption {
  /** Whether there is as much as half of the window: more often is a message for nothing, less often a wait. */
  taken(bytes: number): boolean
  /** How many chunks there are to tell of, from then on told. */
  tell(): number
}

export const createConsumption = (window: StreamWindow): Consumption => {
  let chunks = 0
  let bytes = 0
  return {
    taken(length) {
      chunks += 1
      bytes += length
      return chunks * 2 >= window.chunks || bytes * 2 >= window.bytes
    },
    tell() {
      const told = chunks
      chunks = 0
      bytes = 0
      return told
    },
  }
}

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

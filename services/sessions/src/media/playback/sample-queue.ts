/** A queue of samples, stored in the pieces in which they were appended. */
export interface SampleQueue {
  append(samples: Int16Array): void
  length(): number
  /** Moves samples to the beginning of `target`, as many as there are and fit, and returns their number. */
  take(target: Int16Array): number
  /** Copies the next samples, at most `count`, which stay in the queue. */
  peek(count: number): Int16Array
  clear(): void
}

export const createSampleQueue = (): SampleQueue => {
  let pieces: Int16Array[] = []
  let length = 0

  const copy = (target: Int16Array): { samples: number; piecesDone: number; rest: Int16Array | undefined } => {
    let samples = 0
    for (const [index, piece] of pieces.entries()) {
      const part = piece.subarray(0, target.length - samples)
      target.set(part, samples)
      samples += part.length
      if (part.length < piece.length) return { samples, piecesDone: index, rest: piece.subarray(part.length) }
    }
    return { samples, piecesDone: pieces.length, rest: undefined }
  }

  return {
    append(samples) {
      if (samples.length === 0) return
      pieces.push(samples)
      length += samples.length
    },
    length: () => length,
    take(target) {
      const { samples, piecesDone, rest } = copy(target)
      pieces.splice(0, piecesDone)
      if (rest !== undefined) pieces[0] = rest
      length -= samples
      return samples
    },
    peek(count) {
      const target = new Int16Array(Math.min(count, length))
      copy(target)
      return target
    },
    clear() {
      pieces = []
      length = 0
    },
  }
}

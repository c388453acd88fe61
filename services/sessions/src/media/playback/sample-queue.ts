/** A queue of samples, stored in the arrays in which they were appended. */
export const createSampleQueue = () => {
  let arrays: Int16Array[] = []
  let length = 0

  const copy = (target: Int16Array): { samples: number; arraysDone: number; rest: Int16Array | undefined } => {
    let samples = 0
    for (const [index, array] of arrays.entries()) {
      const part = array.subarray(0, target.length - samples)
      target.set(part, samples)
      samples += part.length
      if (part.length < array.length) return { samples, arraysDone: index, rest: array.subarray(part.length) }
    }
    return { samples, arraysDone: arrays.length, rest: undefined }
  }

  return {
    append(samples: Int16Array) {
      if (samples.length === 0) return
      arrays.push(samples)
      length += samples.length
    },
    prepend(samples: Int16Array) {
      arrays.unshift(samples)
      length += samples.length
    },
    length: (): number => length,
    /** Moves samples to the beginning of `target`, as many as there are and fit, and returns their number. */
    take(target: Int16Array): number {
      const { samples, arraysDone, rest } = copy(target)
      arrays.splice(0, arraysDone)
      if (rest !== undefined) arrays[0] = rest
      length -= samples
      return samples
    },
    /** Copies the next samples, at most `count`, which stay in the queue. */
    peek(count: number): Int16Array {
      const target = new Int16Array(Math.min(count, length))
      copy(target)
      return target
    },
    clear() {
      arrays = []
      length = 0
    },
  }
}

/** How long an engine takes for a segment, estimated from the last ones. */
export interface ServiceTime {
  add(ms: number): void
  /** 0 while nothing is known. */
  estimateMs(): number
}

const maxSamples = 32
/** With fewer the shortest one counts: the first segment of a process takes longer than all that follow. */
const enoughSamples = 5

/** The median: a few segments that were slow, or were cancelled, do not move it. */
export const createServiceTime = (): ServiceTime => {
  const samples: number[] = []
  let next = 0
  return {
    add(ms) {
      samples[next] = ms
      next = (next + 1) % maxSamples
    },
    estimateMs() {
      const ascending = [...samples].sort((a, b) => a - b)
      return ascending[ascending.length < enoughSamples ? 0 : Math.floor(ascending.length / 2)] ?? 0
    },
  }
}

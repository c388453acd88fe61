/** True as long as no more than this many came within the last second, as far as a bucket that refills tells. */
export const createMessageRate = (perSecond: number): ((nowMs: number) => boolean) => {
  let left: number = perSecond
  let countedAtMs: number | undefined
  return (nowMs) => {
    left = Math.min(perSecond, left + ((nowMs - (countedAtMs ?? nowMs)) * perSecond) / 1000)
    countedAtMs = nowMs
    if (left < 1) return false
    left -= 1
    return true
  }
}

/**
 * How long who found every worker full goes on looking for room.
 *
 * - In a burst, which is soon worked off, everybody may look for as long as that takes. Under a load that lasts every try
 *   is load too, and whoever is admitted at last has waited for it: there each has a moment, and is then told.
 * - Which of the two it is shows in two ways: by the time that it has gone on for, and sooner by how many are looking,
 *   beside how many find room in a tenth of a second. More than those, and most of them would look in vain.
 *
 * Times are on one clock, in ms.
 */

/** How long a burst may take to be worked off. What lasts longer is none. */
const burstMs = 200
/** Who looks asks again sooner than that: where nobody was refused for so long nobody looks, and a burst begins anew. */
const calmMs = 100
const aMomentMs = 20
/** So many may come at once where nobody was before. */
const handful = 8

export interface Patience {
  /** A request comes, and has not asked anyone yet. */
  comes(askedAtMs: number): Search
}

/** One request's way to a worker. */
export interface Search {
  /** Every worker was found full. Answers until when it may go on looking. */
  refused(nowMs: number): number
  /** A worker has begun to speak. */
  found(nowMs: number): void
  /** The request is over, whatever became of it. Once more does no harm. */
  ends(): void
}

export const createPatience = (): Patience => {
  let burstBeganMs = Number.NEGATIVE_INFINITY
  let lastRefusalMs = Number.NEGATIVE_INFINITY
  let looking = 0
  const foundLately = createRecentCount(calmMs)

  return {
    comes(askedAtMs) {
      let looks = false
      const ends = () => {
        if (looks) looking -= 1
        looks = false
      }
      return {
        refused(nowMs) {
          if (!looks) looking += 1
          looks = true
          if (nowMs - lastRefusalMs > calmMs) burstBeganMs = nowMs
          if (looking > Math.max(handful, foundLately.at(nowMs))) burstBeganMs = Number.NEGATIVE_INFINITY
          lastRefusalMs = nowMs
          return Math.max(burstBeganMs + burstMs, askedAtMs + aMomentMs)
        },
        found(nowMs) {
          foundLately.add(nowMs)
          ends()
        },
        ends,
      }
    },
  }
}

/** How often something happened of late, where what is `windowMs` ago counts for a third: at an even pace, as often as in one window. */
const createRecentCount = (windowMs: number) => {
  let count = 0
  let countedAtMs = 0
  const at = (nowMs: number) => count * Math.exp((countedAtMs - nowMs) / windowMs)
  return {
    at,
    add(nowMs: number) {
      count = at(nowMs) + 1
      countedAtMs = nowMs
    },
  }
}

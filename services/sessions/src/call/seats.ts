import { ServiceError } from '@parlance/contracts'

/** The conversations that this process has room for. */
export interface Seats {
  /** Answers what gives the seat back. Throws `capacity_exhausted`, or `draining`. */
  take(): () => void
  hasRoom(): boolean
  draining(): boolean
  /** No more are given away; resolves when all have been given back. */
  drain(): Promise<void>
}

/** `onChange` is called when `hasRoom` answers otherwise than before. */
export const createSeats = (count: number, onChange: () => void): Seats => {
  let taken = 0
  let draining = false
  let onEmpty = () => {}
  const hasRoom = () => !draining && taken < count

  const change = (work: () => void): void => {
    const before = hasRoom()
    work()
    if (hasRoom() !== before) onChange()
    if (taken === 0) onEmpty()
  }

  return {
    take() {
      if (draining) throw new ServiceError('draining', 'This server is about to stop. Try again.')
      if (taken >= count)
        throw new ServiceError('capacity_exhausted', 'There are too many conversations now. Try again.')
      change(() => {
        taken += 1
      })
      let given = false
      return () => {
        if (given) return
        given = true
        change(() => {
          taken -= 1
        })
      }
    },
    hasRoom,
    draining: () => draining,
    drain: () =>
      new Promise((resolve) => {
        onEmpty = resolve
        change(() => {
          draining = true
        })
      }),
  }
}

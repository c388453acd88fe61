let tick = 0
let isEndScheduled = false

const onTickEnd = () => {
  tick += 1
  isEndScheduled = false
}

/** A number for the present tick of the event loop: it changes with the next `setImmediate` callbacks. */
export const presentTick = (): number => {
  if (!isEndScheduled) {
    isEndScheduled = true
    setImmediate(onTickEnd)
  }
  return tick
}

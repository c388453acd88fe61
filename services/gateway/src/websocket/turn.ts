let present = 0
let watched = false

const end = () => {
  present += 1
  watched = false
}

/** A number for this turn of the event loop: what happens in another one has another. */
export const presentTurn = (): number => {
  if (!watched) {
    watched = true
    queueMicrotask(end)
  }
  return present
}

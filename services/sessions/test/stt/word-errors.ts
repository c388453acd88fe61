/** How many words must be put in, taken out or replaced to make the one of the other. */
export const wordErrors = (spoken: string, recognized: string): number => {
  const from = spoken.split(' ')
  const to = recognized.split(' ').filter((word) => word !== '')
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, word] of from.entries()) {
    const next = [index + 1]
    for (const [place, other] of to.entries()) {
      next.push(Math.min(next[place]! + 1, row[place + 1]! + 1, row[place]! + (word === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)!
}

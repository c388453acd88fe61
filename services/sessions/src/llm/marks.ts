const names = ['context', 'memories', 'appointments', 'metadata']
/** One that is not complete as well: its other half may stand in the text beside it. */
const mark = new RegExp(`</?\\s*(?:${names.join('|')})\\b[^<>]*>?|</?\\s*\\w*$`, 'gi')

/** Only we write the marks that data stands between: a text that holds one could pretend to end where it does not. */
export const withoutMarks = (text: string): string => {
  let before = text
  // What is left of two halves may be a whole one.
  for (;;) {
    const after = before.replace(mark, '')
    if (after === before) return after
    before = after
  }
}

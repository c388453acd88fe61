const names = ['context', 'memories', 'appointments', 'metadata']
/** Also matches an incomplete mark, whose other half may be in the text that follows. */
const mark = new RegExp(`</?\\s*(?:${names.join('|')})\\b[^<>]*>?|</?\\s*\\w*$`, 'gi')

/** Removes marks from a text that will be put between marks: a text with a mark could pretend to end there. */
export const withoutMarks = (text: string): string => {
  let before = text
  // Removing one mark can join the halves of another.
  for (;;) {
    const after = before.replace(mark, '')
    if (after === before) return after
    before = after
  }
}

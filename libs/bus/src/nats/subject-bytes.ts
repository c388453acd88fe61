/** Where a message's subject lies: most receivers need not know all of it. Reused for the next message. */
export interface SubjectBytes {
  bytes: Buffer
  start: number
  end: number
}

/** Subjects heard lately, by their bytes: a new string for each message, of which nobody knows yet that it is the same, costs more. */
const subjects: string[] = new Array(4096).fill('')

export const subjectText = ({ bytes, start, end }: SubjectBytes): string => {
  let hash = 0
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0
  const slot = hash & (subjects.length - 1)
  const known = subjects[slot]!
  if (isAt(bytes, start, end, known)) return known
  const subject = bytes.toString('latin1', start, end)
  subjects[slot] = subject
  return subject
}

const isAt = (bytes: Buffer, start: number, end: number, text: string): boolean => {
  if (text.length !== end - start) return false
  for (let at = start; at < end; at++) if (bytes[at] !== text.charCodeAt(at - start)) return false
  return true
}

const [dot, zero] = [0x2e, 0x30]

/** The number that is the last token, or -1 where that is none. */
export const lastNumber = ({ bytes, start, end }: SubjectBytes): number => {
  let number = 0
  let worth = 1
  let at = end - 1
  for (; at >= start && bytes[at] !== dot; at--) {
    const digit = bytes[at]! - zero
    if (digit < 0 || digit > 9) return -1
    number += digit * worth
    worth *= 10
  }
  return at === end - 1 ? -1 : number
}

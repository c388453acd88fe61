import { diffWordsWithSpace } from 'diff'

export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** The position of the part, which is unique within the two texts. */
  readonly position: string
}

/** The time limit. Texts that take longer have little in common. */
const maxCompareMs = 100

const isOneWord = (text: string): boolean => !/\s/.test(text)

const kindOf = ({ removed, added }: { removed: boolean; added: boolean }): TextPart['kind'] =>
  removed ? 'removed' : added ? 'added' : 'same'

/** The whole texts, each in its line. */
const wholeTexts = (before: string, after: string): TextPart[] => {
  const separator = before === '' || after === '' ? '' : '\n'
  const parts: TextPart[] = [
    { kind: 'removed', text: before, position: 'before' },
    { kind: 'same', text: separator, position: 'between' },
    { kind: 'added', text: after, position: 'after' },
  ]
  return parts.filter(({ text }) => text !== '')
}

/** The words that two texts have in common, and those that were removed and added. Single words are not taken apart. */
export const comparedTexts = (before: string, after: string): TextPart[] => {
  if (isOneWord(before) || isOneWord(after)) return wholeTexts(before, after)
  const changes = diffWordsWithSpace(before, after, { timeout: maxCompareMs })
  return (
    changes?.map((change, index) => ({ kind: kindOf(change), text: change.value, position: String(index) })) ??
    wholeTexts(before, after)
  )
}

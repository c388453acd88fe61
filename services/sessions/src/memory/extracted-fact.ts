import type { SessionMessage } from '@parlance/contracts'
import { isInstruction } from './is-instruction.js'

/** A fact about the user, and the message that it comes from. */
export interface ExtractedFact {
  readonly text: string
  readonly message: SessionMessage
}

const maxFacts = 20
const maxFactCharacters = 200

/**
 * The extracted facts that may be stored: short, in one line, from a message of the user, and not an instruction to a model.
 * Models make mistakes and obey transcripts, so every extracted fact goes through this check.
 */
export const storableFacts = (facts: readonly ExtractedFact[]): readonly ExtractedFact[] =>
  facts
    .map(({ text, message }) => ({ text: text.replace(/[\s\p{C}]+/gu, ' ').trim(), message }))
    .filter(
      ({ text, message }) =>
        message.role === 'user' && text !== '' && text.length <= maxFactCharacters && !isInstruction(text),
    )
    .slice(0, maxFacts)

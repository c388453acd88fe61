import type { SessionMessage } from '@parlance/contracts'
import { readsAsOrder } from './reads-as-order.js'

/** Something that a user said of himself, and the message in which he said it. */
export interface ExtractedFact {
  readonly text: string
  readonly message: SessionMessage
}

const mostFacts = 20
const mostCharacters = 200

/**
 * Of what was drawn out, what may be remembered: said by the user, in one short line, and no order to whoever reads it.
 * Models make mistakes, and do what transcripts tell them: this is where that ends.
 */
export const worthKeeping = (facts: readonly ExtractedFact[]): readonly ExtractedFact[] =>
  facts
    .map(({ text, message }) => ({ text: text.replace(/[\s\p{C}]+/gu, ' ').trim(), message }))
    .filter(
      ({ text, message }) =>
        message.role === 'user' && text !== '' && text.length <= mostCharacters && !readsAsOrder(text),
    )
    .slice(0, mostFacts)

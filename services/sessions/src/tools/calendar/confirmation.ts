/**
 * Ensures that nothing is changed before the user was asked aloud and agreed, whatever the model does:
 *
 * - Only the user's words in the turn right after a proposal confirm it, within two minutes.
 * - The question that was played to the user named the event, so that a yes to another question does not confirm it.
 * - Only the latest proposal can be confirmed, once. Any other answer of the user ends it.
 */
import type { ToolContext } from '../tool.js'
import { isAffirmation } from './affirmation.js'

/** The words of a text without case, accents and punctuation. */
const spokenWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether a text names the event with this title: it contains half of the words of the title, in any order. */
export const namesEvent = (text: string, title: string): boolean => {
  const words = spokenWords(text)
  // A title without spaces is searched in the whole text.
  const all = words.join('')
  const titleWords = spokenWords(title)
  const found = titleWords.filter(
    (word) => words.includes(word) || (/[^\p{Script=Latin}\p{N}]/u.test(word) && all.includes(word)),
  )
  return found.length * 2 >= titleWords.length
}

interface Proposal {
  /** The title of the event. */
  readonly title: string
  readonly cancelling: boolean
  /** Makes the change in the turn in which it was confirmed. Resolves with text for the model. */
  carryOut(turn: number): Promise<string>
}

/** The user's answer to a proposal. */
export type Answer = Pick<ToolContext, 'turn' | 'userText' | 'playedText'>

const validMs = 120_000

export type Confirmation = ReturnType<typeof createConfirmation>

export const createConfirmation = (language: string) => {
  let latest: { proposal: Proposal; turn: number; atMs: number } | undefined

  return {
    /** Replaces the proposal before. `turn` is the turn in which the model proposes it. */
    propose(proposal: Proposal, turn: number) {
      latest = { proposal, turn, atMs: performance.now() }
    },

    /** The proposal that the answer confirms, which is then used up; or the refusal for the model. */
    take({ turn, userText, playedText }: Answer): { readonly proposal: Proposal } | { readonly refusal: string } {
      if (latest === undefined) return { refusal: 'Nothing is proposed. Propose the change first, and ask the user.' }
      if (turn <= latest.turn) {
        return { refusal: 'The user has not answered yet. Ask aloud whether to do it, and wait for the answer.' }
      }
      const { proposal, turn: askedIn, atMs } = latest
      latest = undefined
      if (turn !== askedIn + 1 || performance.now() - atMs > validMs) {
        return { refusal: 'It was proposed too long ago. Propose it again, and ask the user again.' }
      }
      if (!namesEvent(playedText, proposal.title)) {
        return { refusal: 'You have not asked the user about it. Propose it again, and name the event when you ask.' }
      }
      if (!isAffirmation(userText, language, { cancelling: proposal.cancelling })) {
        return {
          refusal:
            'The user has not plainly said yes. If this is still wanted, propose it again and ask for a plain yes.',
        }
      }
      return { proposal }
    },
  }
}

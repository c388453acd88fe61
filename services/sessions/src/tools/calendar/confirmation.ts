/**
 * Nothing is changed before the user was asked aloud and has said yes. That is for us to see to, whatever a model was told:
 *
 * - A proposal is confirmed by the user's words alone, those of the turn right after it, within two minutes.
 * - The user had heard what it is about: a yes to another question is none to this.
 * - Only the latest proposal stands, and it is confirmed at most once. Whatever else the user says ends it.
 */
import { isAffirmation } from './affirmation.js'
import { isNamed } from './named.js'

export interface Proposal {
  /** Of the event. */
  readonly title: string
  readonly cancelling: boolean
  /** Makes the change, in the turn in which it was confirmed. What it resolves with is told to the model. */
  carryOut(turn: number): Promise<string>
}

export interface Answer {
  /** As `ToolContext` has it. */
  readonly turn: number
  readonly said: string
  readonly heard: string
}

export interface Confirmation {
  /** In place of what was proposed before. `turn` is that in which it was asked for. */
  propose(proposal: Proposal, turn: number): void
  /** The proposal that these words confirm, which stands no more; or what to tell the model. */
  take(answer: Answer): { readonly proposal: Proposal } | { readonly refusal: string }
}

export interface ConfirmationOptions {
  /** In which the user is understood: a tag such as `de-AT`. */
  readonly language: string
  /** In ms. Of a clock that is never set. */
  readonly now?: () => number
}

const holdsForMs = 120_000

export const createConfirmation = ({ language, now = () => performance.now() }: ConfirmationOptions): Confirmation => {
  let standing: { proposal: Proposal; turn: number; atMs: number } | undefined

  return {
    propose(proposal, turn) {
      standing = { proposal, turn, atMs: now() }
    },

    take({ turn, said, heard }) {
      if (standing === undefined) return { refusal: 'Nothing is proposed. Propose the change first, and ask the user.' }
      if (turn <= standing.turn) {
        return { refusal: 'The user has not answered yet. Ask aloud whether to do it, and wait for the answer.' }
      }
      const { proposal, turn: askedIn, atMs } = standing
      standing = undefined
      if (turn !== askedIn + 1 || now() - atMs > holdsForMs) {
        return { refusal: 'It was proposed too long ago. Propose it again, and ask the user again.' }
      }
      if (!isNamed(proposal.title, heard)) {
        return { refusal: 'You have not asked the user about it. Propose it again, and name the event when you ask.' }
      }
      if (!isAffirmation(said, language, { cancelling: proposal.cancelling })) {
        return {
          refusal:
            'The user has not plainly said yes. If this is still wanted, propose it again and ask for a plain yes.',
        }
      }
      return { proposal }
    },
  }
}

import { holdsControlCharacters, ServiceError, streamLimits } from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'

/** How much text one context may still send. */
export interface TextAllowance {
  /**
   * Counts a text in, of which `sentCharacters` of all before it have been spoken. Throws `text_too_long`, or
   * `invalid_request` for what cannot be spoken; then nothing is counted.
   */
  take(text: string, sentCharacters: number): void
  /** Code points that were used. */
  taken(): number
}

const tooLong = (detail: string) => new ServiceError('text_too_long', `text: at most ${detail}`)

export const createTextAllowance = (): TextAllowance => {
  const { text_characters: ofText, buffered_characters: ofBuffer, context_characters: ofContext } = streamLimits
  let taken = 0

  return {
    take(text, sentCharacters) {
      if (holdsControlCharacters(text)) {
        throw new ServiceError(
          'invalid_request',
          'text: must not contain control characters other than tab and line breaks',
        )
      }
      const characters = countCodePoints(text)
      if (characters > ofText) throw tooLong(`${ofText} characters in one message.`)
      if (taken + characters > ofContext) throw tooLong(`${ofContext} characters in one context.`)
      if (taken - sentCharacters + characters > ofBuffer) {
        throw tooLong(`${ofBuffer} characters may wait to be spoken. Send more when these have been.`)
      }
      taken += characters
    },
    taken: () => taken,
  }
}

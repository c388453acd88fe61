const opening = '<think>'
const closing = '</think>'

/** What of a reply is for speaking. Open models begin with their thoughts, between these two marks. */
export interface SpokenPart {
  /** The next of the reply; answers what of it is to be said, which may be nothing. */
  push(text: string): string
  /** The reply is over: what was held back because it looked like the beginning of a mark. */
  end(): string
}

/** Only what a reply begins with can be a thought; nothing is held back after that. */
export const createSpokenPart = (): SpokenPart => {
  let at: 'beginning' | 'thought' | 'speech' = 'beginning'
  let held = ''
  const say = (text: string) => {
    at = 'speech'
    held = ''
    return text
  }
  return {
    push(text) {
      if (at === 'speech') return text
      held += text
      if (at === 'beginning') {
        const begun = held.trimStart()
        if (begun.length < opening.length && opening.startsWith(begun)) return ''
        if (!begun.startsWith(opening)) return say(held)
        at = 'thought'
        held = begun.slice(opening.length)
      }
      const end = held.indexOf(closing)
      if (end !== -1) return say(held.slice(end + closing.length))
      held = held.slice(1 - closing.length)
      return ''
    },
    end: () => (at === 'beginning' ? say(held) : ''),
  }
}

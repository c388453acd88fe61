const opening = '<think>'
const closing = '</think>'

/** The part of a reply that is spoken. Open models begin a reply with their reasoning, between these two marks. */
export interface SpokenPart {
  /** Takes the next text of the reply. Returns what is to be spoken now, which may be empty. */
  push(text: string): string
  /** Ends the reply. Returns text that waited because it could have been the beginning of a mark. */
  end(): string
}

/** Only the beginning of a reply can be reasoning. Text after that is returned at once. */
export const createSpokenPart = (): SpokenPart => {
  let state: 'beginning' | 'reasoning' | 'speech' = 'beginning'
  let pending = ''
  const speak = (text: string) => {
    state = 'speech'
    pending = ''
    return text
  }
  return {
    push(text) {
      if (state === 'speech') return text
      pending += text
      if (state === 'beginning') {
        const begun = pending.trimStart()
        if (begun.length < opening.length && opening.startsWith(begun)) return ''
        if (!begun.startsWith(opening)) return speak(pending)
        state = 'reasoning'
        pending = begun.slice(opening.length)
      }
      const end = pending.indexOf(closing)
      if (end !== -1) return speak(pending.slice(end + closing.length))
      pending = pending.slice(1 - closing.length)
      return ''
    },
    end: () => (state === 'beginning' ? speak(pending) : ''),
  }
}

/** Shows a text with the word that is heard now, by the times that come with the audio. */

const letters = /[\p{L}\p{N}]/gu
const lettersIn = (text) => text.match(letters)?.length ?? 0

/** How many letters may lie between a word and the one before: an engine may say `twenty` for `20`. */
const leastReach = 24

/** Finds words that are told in order in the text that they were spoken from. */
const createFinder = (text) => {
  const lower = text.toLowerCase().length === text.length ? text.toLowerCase() : text
  let from = 0
  let reach = leastReach
  return (word) => {
    const at = lower.indexOf(word.toLowerCase(), from)
    if (word === '' || at === -1 || lettersIn(lower.slice(from, at)) > reach) {
      reach += 2 * word.length
      return undefined
    }
    from = at + word.length
    reach = leastReach
    return { from: at, to: from }
  }
}

/** `mirror` lies under the text field and holds three parts: what was spoken, the word, what is to come. */
export const createWords = (mirror) => {
  const [spoken, word, ahead] = mirror.children
  let text = ''
  let find = createFinder('')
  let places = []
  let shown

  const show = (from, to) => {
    if (shown === `${from} ${to}`) return
    shown = `${from} ${to}`
    spoken.textContent = text.slice(0, from)
    word.textContent = text.slice(from, to)
    ahead.textContent = text.slice(to)
  }

  return {
    /** A text that nothing of has been spoken. */
    begin(newText) {
      text = newText
      find = createFinder(text)
      places = []
      shown = undefined
      show(0, 0)
    },

    /** Words of the audio's clock, in order. */
    add(words) {
      for (const { text, start_ms: startMs, end_ms: endMs } of words) {
        const place = find(text)
        if (place !== undefined) places.push({ ...place, startMs, endMs })
      }
    },

    /** Lights the word that is heard at that moment, and leaves it lit until the next. Returns it. */
    follow(positionMs) {
      const place = places.findLast(({ startMs }) => startMs <= positionMs)
      if (place === undefined) return undefined
      show(place.from, place.to)
      return word
    },

    /** How much of the text had been spoken then. */
    lengthAt: (positionMs) => places.findLast(({ endMs }) => endMs <= positionMs)?.to ?? 0,

    /** Leaves no word lit, and the first `length` of the text spoken. */
    rest: (length) => show(length, length),
  }
}

/** Shows a text with the word that plays now highlighted, by the times that come with the audio. */

const letters = /[\p{L}\p{N}]/gu
const lettersIn = (text) => text.match(letters)?.length ?? 0

/** How many letters may lie between a word and the one before: an engine may say `twenty` for `20`. */
const leastReach = 24

/** Finds the words of the audio, which come in order, in the text from which they were spoken. */
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

const still = matchMedia('(prefers-reduced-motion: reduce)')

/** Scrolls as little as once for many lines. */
const keepInView = (word, paper) => {
  const { offsetTop: top, offsetHeight: height } = word
  if (top >= paper.scrollTop && top + 2 * height <= paper.scrollTop + paper.clientHeight) return
  paper.scrollTo({ top: top - height, behavior: still.matches ? 'auto' : 'smooth' })
}

/**
 * `mirror` lies under the text field and holds three parts: what was spoken, the word, what is to come. `paper` scrolls
 * them both.
 */
export const createWords = (mirror, paper) => {
  const [spoken, word, ahead] = mirror.children
  let text = ''
  let find = createFinder('')
  let places = []
  let shown

  const show = (from, to) => {
    shown = from
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
      show(0, 0)
      shown = undefined
    },

    /** Words of the audio's clock, in order. */
    add(words) {
      for (const { text, start_ms: startMs, end_ms: endMs } of words) {
        const place = find(text)
        if (place !== undefined) places.push({ ...place, startMs, endMs })
      }
    },

    /** Highlights the word at a position, until the next word. */
    follow(positionMs) {
      const place = places.findLast(({ startMs }) => startMs <= positionMs)
      if (place === undefined || shown === place.from) return
      show(place.from, place.to)
      keepInView(word, paper)
    },

    /** How much of the text had been spoken then. */
    lengthAt: (positionMs) => places.findLast(({ endMs }) => endMs <= positionMs)?.to ?? 0,

    /** Leaves no word lit, and the first `length` of the text spoken. */
    rest: (length) => show(length, length),
  }
}

/**
 * Runs in the page before its own scripts and observes the audio that reaches the loudspeakers, the highlighted words and the
 * waveform. Tests call it as `observed.…`.
 */

const nextFrame = () => new Promise(requestAnimationFrame)
const until = async (isSo) => {
  while (!isSo()) await nextFrame()
}

let analyser
const { connect } = AudioNode.prototype
AudioNode.prototype.connect = function (target) {
  if (target instanceof AudioDestinationNode) {
    analyser ??= new AnalyserNode(target.context)
    connect.call(this, analyser)
  }
  return connect.call(this, target)
}

const loudness = () => {
  const samples = new Float32Array(2048)
  analyser?.getFloatTimeDomainData(samples)
  return Math.max(...samples.map(Math.abs))
}

globalThis.observed = {
  /** The words that were highlighted, in order. */
  highlighted: [],

  untilAudible: () => until(() => loudness() > 0.01),
  untilHighlighted: (word) => until(() => globalThis.observed.highlighted.includes(word)),

  /** Observes one second of audio and returns after how many seconds the last sound was played. */
  async secondsToSilence() {
    const { context } = analyser
    const begun = context.currentTime
    let audibleUntil = begun
    while (context.currentTime < begun + 1) {
      if (loudness() > 0) audibleUntil = context.currentTime
      await nextFrame()
    }
    return audibleUntil - begun
  },

  /** How many pixels of the waveform are not empty. */
  waveformPixels() {
    const canvas = document.querySelector('canvas')
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    return new Uint32Array(data.buffer).filter((pixel) => pixel !== 0).length
  },

  /** The elements that are wider than the screen. */
  tooWide: () =>
    [document.documentElement, ...document.querySelectorAll('body *')]
      .filter((element) => element.scrollWidth > innerWidth || element.getBoundingClientRect().right > innerWidth)
      .map(({ tagName, id }) => `${tagName} ${id}`),
}

// The page makes the element of the word after it has loaded the voices.
new MutationObserver((changes) => {
  const word = document.querySelector('mark')
  const isOfWord = ({ target }) => word.contains(target)
  if (word === null || word.textContent === '' || !changes.some(isOfWord)) return
  globalThis.observed.highlighted.push(word.textContent)
}).observe(document, { childList: true, characterData: true, subtree: true })

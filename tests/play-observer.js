/**
 * Runs in the page before its own scripts and tells what they do not: what reaches the loudspeakers, which words were lit,
 * what is drawn. Tests ask it by `observed.…`.
 */

const nextFrame = () => new Promise(requestAnimationFrame)
const until = async (isSo) => {
  while (!isSo()) await nextFrame()
}

let ear
const { connect } = AudioNode.prototype
AudioNode.prototype.connect = function (target) {
  if (target instanceof AudioDestinationNode) {
    ear ??= new AnalyserNode(target.context)
    connect.call(this, ear)
  }
  return connect.call(this, target)
}

const loudness = () => {
  const samples = new Float32Array(2048)
  ear?.getFloatTimeDomainData(samples)
  return Math.max(...samples.map(Math.abs))
}

globalThis.observed = {
  /** Every word that was lit, in the order in which it was. */
  lit: [],

  hear: () => until(() => loudness() > 0.01),
  see: (word) => until(() => globalThis.observed.lit.includes(word)),

  /** For how many of the next seconds, on the clock of the audio, anything was heard. Listens for one. */
  async secondsToSilence() {
    const { context } = ear
    const begun = context.currentTime
    let heardUntil = begun
    while (context.currentTime < begun + 1) {
      if (loudness() > 0) heardUntil = context.currentTime
      await nextFrame()
    }
    return heardUntil - begun
  },

  /** How many pixels of the waveform are not empty. */
  drawnPixels() {
    const canvas = document.querySelector('canvas')
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    return new Uint32Array(data.buffer).filter((pixel) => pixel !== 0).length
  },

  /** The elements that reach out of the screen. */
  tooWide: () =>
    [document.documentElement, ...document.querySelectorAll('body *')]
      .filter((element) => element.scrollWidth > innerWidth || element.getBoundingClientRect().right > innerWidth)
      .map(({ tagName, id }) => `${tagName} ${id}`),
}

document.addEventListener('DOMContentLoaded', () => {
  const word = document.querySelector('mark')
  const note = () => word.textContent !== '' && globalThis.observed.lit.push(word.textContent)
  new MutationObserver(note).observe(word, { childList: true, characterData: true, subtree: true })
})

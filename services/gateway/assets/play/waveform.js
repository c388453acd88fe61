/** Draws the loudness of the speech so far as bars, and how much of it has been played. */

const peakMs = 20
const barWidth = 3
const barGap = 2
/** The time that the width stands for at first; it doubles as the speech grows. */
const firstSpanMs = 4000

const still = matchMedia('(prefers-reduced-motion: reduce)')

export const createWaveform = (canvas, sampleRate) => {
  const context = canvas.getContext('2d')
  const samplesPerPeak = (sampleRate * peakMs) / 1000
  let peaks = []
  let filled = 0
  let spanMs = firstSpanMs
  let complete = false
  let shownMs = 0

  const add = (samples) => {
    for (const sample of samples) {
      if (filled === 0) peaks.push(0)
      const loudness = Math.abs(sample) / 32768
      if (loudness > peaks[peaks.length - 1]) peaks[peaks.length - 1] = loudness
      filled = (filled + 1) % samplesPerPeak
    }
  }

  const lengthMs = () => peaks.length * peakMs

  /** While it grows the width has room for more; in the end it is the whole speech. */
  const wantedSpanMs = () => {
    if (complete && peaks.length > 0) return lengthMs()
    return firstSpanMs * 2 ** Math.max(0, Math.ceil(Math.log2(lengthMs() / firstSpanMs)))
  }

  const fitToScreen = () => {
    const width = Math.round(canvas.clientWidth * devicePixelRatio)
    const height = Math.round(canvas.clientHeight * devicePixelRatio)
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight)
  }

  const drawBar = (x, height, colour) => {
    context.fillStyle = colour
    context.beginPath()
    context.roundRect(x, (canvas.clientHeight - height) / 2, barWidth, height, barWidth / 2)
    context.fill()
  }

  const peakBetween = (fromMs, toMs) => {
    const from = Math.floor(fromMs / peakMs)
    const to = Math.max(from + 1, Math.ceil(toMs / peakMs))
    return peaks.slice(from, to).reduce((most, peak) => Math.max(most, peak), 0)
  }

  /** `positionMs` is the position that plays now; that of the last call when left out. Returns whether the picture still moves. */
  const draw = (positionMs = shownMs) => {
    shownMs = positionMs
    const wanted = wantedSpanMs()
    const settled = still.matches || Math.abs(wanted - spanMs) < peakMs
    spanMs = settled ? wanted : spanMs + (wanted - spanMs) * 0.18

    fitToScreen()
    const style = getComputedStyle(canvas)
    const playedColour = style.getPropertyValue('--accent')
    const aheadColour = style.getPropertyValue('--wave')
    const emptyColour = style.getPropertyValue('--line')
    const bars = Math.floor((canvas.clientWidth + barGap) / (barWidth + barGap))
    const barMs = spanMs / bars
    for (let bar = 0; bar < bars; bar++) {
      const fromMs = bar * barMs
      const there = fromMs < lengthMs()
      const height = barWidth + Math.sqrt(peakBetween(fromMs, fromMs + barMs)) * (canvas.clientHeight - barWidth)
      const colour = fromMs < positionMs ? playedColour : aheadColour
      drawBar(bar * (barWidth + barGap), there ? height : barWidth, there ? colour : emptyColour)
    }
    if (positionMs > 0 && positionMs < lengthMs()) {
      context.fillStyle = style.getPropertyValue('--ink')
      context.fillRect((positionMs / spanMs) * canvas.clientWidth - 0.75, 0, 1.5, canvas.clientHeight)
    }
    return !settled
  }

  return {
    add,
    draw,
    clear() {
      peaks = []
      filled = 0
      spanMs = firstSpanMs
      complete = false
    },
    /** No more will come. */
    complete() {
      complete = true
    },
  }
}

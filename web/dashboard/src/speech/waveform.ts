/** The loudness of a speech so far, as bars on a canvas, and how much of it has been played. */

/** Samples in a second, of one channel. */
const sampleRateHz = 24_000

const peakMs = 20
const samplesPerPeak = (sampleRateHz * peakMs) / 1_000
const barWidth = 3
const barGap = 2
/** The time that the width stands for at first; it doubles as the speech grows. */
const firstSpanMs = 4_000

const still = matchMedia('(prefers-reduced-motion: reduce)')

const barsOf = (canvas: HTMLCanvasElement): number => Math.floor((canvas.clientWidth + barGap) / (barWidth + barGap))

const colorsOf = (canvas: HTMLCanvasElement) => {
  const style = getComputedStyle(canvas)
  const color = (name: string) => style.getPropertyValue(`--waveform-${name}`)
  return { played: color('played'), ahead: color('ahead'), empty: color('empty'), position: color('position') }
}

/** Makes the canvas as fine as the screen, and empties it. */
const prepare = (canvas: HTMLCanvasElement): CanvasRenderingContext2D => {
  const context = canvas.getContext('2d')!
  const width = Math.round(canvas.clientWidth * devicePixelRatio)
  const height = Math.round(canvas.clientHeight * devicePixelRatio)
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight)
  return context
}

export class Waveform {
  /** Where it is drawn; null while the page shows none. */
  canvas: HTMLCanvasElement | null = null
  #peaks: number[] = []
  #samplesOfLastPeak = 0
  #spanMs = firstSpanMs
  #isComplete = false
  #positionMs = 0

  clear(): void {
    this.#peaks = []
    this.#samplesOfLastPeak = 0
    this.#spanMs = firstSpanMs
    this.#isComplete = false
    this.draw(0)
  }

  /** Adds 16-bit samples. */
  add(samples: Int16Array): void {
    for (const sample of samples) {
      if (this.#samplesOfLastPeak === 0) this.#peaks.push(0)
      const loudness = Math.abs(sample) / 32_768
      if (loudness > this.#peaks.at(-1)!) this.#peaks[this.#peaks.length - 1] = loudness
      this.#samplesOfLastPeak = (this.#samplesOfLastPeak + 1) % samplesPerPeak
    }
  }

  /** No more samples come. */
  complete(): void {
    this.#isComplete = true
  }

  /** Draws it with the current position; by default that of the last call. Returns whether it still moves. */
  draw(positionMs = this.#positionMs): boolean {
    this.#positionMs = positionMs
    if (this.canvas === null) return false
    const wantedMs = this.#wantedSpanMs()
    const isSettled = still.matches || Math.abs(wantedMs - this.#spanMs) < peakMs
    this.#spanMs = isSettled ? wantedMs : this.#spanMs + (wantedMs - this.#spanMs) * 0.18
    this.#drawOn(this.canvas)
    return !isSettled
  }

  #drawOn(canvas: HTMLCanvasElement): void {
    const context = prepare(canvas)
    const colors = colorsOf(canvas)
    const { clientWidth, clientHeight } = canvas
    const lengthMs = this.#lengthMs()
    const bars = barsOf(canvas)
    const barMs = this.#spanMs / bars
    for (let bar = 0; bar < bars; bar++) {
      const fromMs = bar * barMs
      const hasAudio = fromMs < lengthMs
      const peak = hasAudio ? this.#peakBetween(fromMs, fromMs + barMs) : 0
      const height = barWidth + Math.sqrt(peak) * (clientHeight - barWidth)
      context.fillStyle = hasAudio ? (fromMs < this.#positionMs ? colors.played : colors.ahead) : colors.empty
      context.beginPath()
      context.roundRect(bar * (barWidth + barGap), (clientHeight - height) / 2, barWidth, height, barWidth / 2)
      context.fill()
    }
    if (this.#positionMs > 0 && this.#positionMs < lengthMs) {
      context.fillStyle = colors.position
      context.fillRect((this.#positionMs / this.#spanMs) * clientWidth - 0.75, 0, 1.5, clientHeight)
    }
  }

  #lengthMs(): number {
    return this.#peaks.length * peakMs
  }

  /** While it grows the width has room for more; in the end it is the whole speech. */
  #wantedSpanMs(): number {
    const lengthMs = this.#lengthMs()
    if (this.#isComplete && lengthMs > 0) return lengthMs
    return firstSpanMs * 2 ** Math.max(0, Math.ceil(Math.log2(lengthMs / firstSpanMs)))
  }

  #peakBetween(fromMs: number, toMs: number): number {
    const from = Math.floor(fromMs / peakMs)
    const to = Math.max(from + 1, Math.ceil(toMs / peakMs))
    return this.#peaks.slice(from, to).reduce((max, peak) => Math.max(max, peak), 0)
  }
}

/** Samples in a second, of one channel. */
export const sampleRateHz = 24_000

/** The lead time for the first piece, and for the first after a gap. */
const leadSeconds = 0.03

export interface AudioPlayer {
  /** Lets the browser play. Call it from a click or a key press. */
  resume(): Promise<void>
  /** Stops playback, and begins at 0 again. */
  clear(): void
  /** Plays 16-bit samples after those before. Returns the time in seconds until they begin. */
  play(samples: Int16Array): number
  queuedMs(): number
  /** The position that plays now, on the clock of the samples. */
  positionMs(): number
  close(): void
}

interface Piece {
  readonly atSeconds: number
  readonly startMs: number
}

/**
 * Plays samples as they arrive, one piece after the other on the clock of the sound card. The start of every piece is known, so
 * `positionMs` is what plays now, not what has arrived. Where pieces come too late there is a gap, and the position waits.
 */
export const createAudioPlayer = (): AudioPlayer => {
  const context = new AudioContext({ sampleRate: sampleRateHz })
  const sources = new Set<AudioBufferSourceNode>()
  let pieces: Piece[] = []
  let endsAtSeconds = 0
  let queuedSamples = 0
  const queuedMs = () => (queuedSamples / sampleRateHz) * 1_000

  return {
    resume: () => context.resume(),
    clear() {
      for (const source of sources) {
        source.stop()
        source.disconnect()
      }
      sources.clear()
      pieces = []
      queuedSamples = 0
      endsAtSeconds = 0
    },
    play(samples) {
      const buffer = context.createBuffer(1, samples.length, sampleRateHz)
      buffer.copyToChannel(
        Float32Array.from(samples, (sample) => sample / 32_768),
        0,
      )
      const source = context.createBufferSource()
      source.buffer = buffer
      source.connect(context.destination)
      source.onended = () => sources.delete(source)
      sources.add(source)

      const now = context.currentTime
      const atSeconds = endsAtSeconds < now ? now + leadSeconds : endsAtSeconds
      source.start(atSeconds)
      pieces.push({ atSeconds, startMs: queuedMs() })
      queuedSamples += samples.length
      endsAtSeconds = atSeconds + samples.length / sampleRateHz
      return atSeconds - now
    },
    queuedMs,
    positionMs() {
      const now = context.currentTime - (context.outputLatency || 0)
      while (pieces[1] !== undefined && pieces[1].atSeconds <= now) pieces.shift()
      const [piece, next] = pieces
      if (piece === undefined || now < piece.atSeconds) return piece?.startMs ?? 0
      return Math.min(next?.startMs ?? queuedMs(), piece.startMs + (now - piece.atSeconds) * 1_000)
    },
    close: () => void context.close(),
  }
}

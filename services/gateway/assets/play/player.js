/**
 * Plays samples as they come, one piece after the other on the sound card's clock.
 *
 * - The start of every piece is known, so `positionMs` is the position that plays now, not that which has arrived.
 * - Where pieces come too late there is a gap, and the position waits.
 */

export const sampleRate = 24000

/** Time for the first piece, and the first after a gap, to get ready. */
const leadSeconds = 0.03

/** Must be called in the handler of a click or a key press, since browsers let no other code start audio. */
export const createPlayer = () => {
  const context = new AudioContext({ sampleRate })
  let sources = new Set()
  let pieces = []
  let endsAt = 0
  let queuedSamples = 0

  const playingAtSeconds = () => context.currentTime - (context.outputLatency || 0)

  return {
    unlock: () => context.resume(),

    /** Stops all pieces and begins again. */
    clear() {
      for (const source of sources) {
        source.stop()
        source.disconnect()
      }
      sources = new Set()
      pieces = []
      queuedSamples = 0
      endsAt = 0
    },

    /** Returns the time in seconds until it will begin. */
    play(samples) {
      const buffer = context.createBuffer(1, samples.length, sampleRate)
      const channel = buffer.getChannelData(0)
      for (let i = 0; i < samples.length; i++) channel[i] = samples[i] / 32768
      const source = context.createBufferSource()
      source.buffer = buffer
      source.connect(context.destination)
      source.onended = () => sources.delete(source)
      sources.add(source)

      const at = endsAt < context.currentTime ? context.currentTime + leadSeconds : endsAt
      source.start(at)
      pieces.push({ at, startMs: (queuedSamples / sampleRate) * 1000 })
      queuedSamples += samples.length
      endsAt = at + samples.length / sampleRate
      return at - context.currentTime
    },

    queuedMs: () => (queuedSamples / sampleRate) * 1000,

    /** The position that plays now, on the clock of the samples. */
    positionMs() {
      const now = playingAtSeconds()
      while (pieces.length > 1 && pieces[1].at <= now) pieces.shift()
      const [piece, next] = pieces
      if (piece === undefined || now < piece.at) return piece?.startMs ?? 0
      const untilMs = next?.startMs ?? (queuedSamples / sampleRate) * 1000
      return Math.min(untilMs, piece.startMs + (now - piece.at) * 1000)
    },
  }
}

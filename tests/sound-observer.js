/**
 * Runs in the page before its own scripts and measures what the page sends to the loudspeaker. Tests call `loudspeaker.peak()`.
 */

const analysers = []
const { connect } = AudioNode.prototype
AudioNode.prototype.connect = function (target, ...rest) {
  if (target === this.context.destination) {
    const analyser = new AnalyserNode(this.context, { fftSize: 2048 })
    analysers.push(analyser)
    connect.call(this, analyser)
  }
  return connect.call(this, target, ...rest)
}

globalThis.loudspeaker = {
  /** The peak of the latest 2,048 samples of both channels together, from 0 to 1. */
  peak() {
    const samples = new Float32Array(2048)
    // That of a context that was closed keeps its last samples.
    const playing = analysers.filter(({ context }) => context.state === 'running')
    const peaks = playing.map((analyser) => {
      analyser.getFloatTimeDomainData(samples)
      return Math.max(...samples.map(Math.abs))
    })
    return Math.max(0, ...peaks)
  },
}

/** Calls `show` with the loudness of the loudest stream, from 0 to 1, once for each frame of the screen. */
export const createLevel = (show) => {
  let context
  let analysers = []
  let running = false
  const samples = new Float32Array(512)

  const loudness = (analyser) => {
    analyser.getFloatTimeDomainData(samples)
    return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
  }
  const draw = () => {
    if (!running) return
    show(Math.min(1, 5 * Math.max(0, ...analysers.map(loudness))))
    requestAnimationFrame(draw)
  }

  return {
    watch(stream) {
      context ??= new AudioContext()
      const analyser = new AnalyserNode(context, { fftSize: 512 })
      context.createMediaStreamSource(stream).connect(analyser)
      analysers.push(analyser)
      if (running) return
      running = true
      draw()
    },
    stop() {
      running = false
      analysers = []
      show(0)
      void context?.close()
      context = undefined
    },
  }
}

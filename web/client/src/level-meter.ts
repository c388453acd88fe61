/** Measures how loud a track is. Measuring begins with the first call. */
export interface LevelMeter {
  /** The peak of the last 20 ms of this track, from 0 to 1; 0 without one. */
  level(context: AudioContext | undefined, track: MediaStreamTrack | undefined): number
  close(): void
}

export const createLevelMeter = (): LevelMeter => {
  let measured:
    | { readonly track: MediaStreamTrack; readonly source: AudioNode; readonly analyser: AnalyserNode }
    | undefined

  const close = (): void => {
    measured?.source.disconnect()
    measured = undefined
  }
  const measure = (context: AudioContext, track: MediaStreamTrack): AnalyserNode => {
    if (measured?.track === track) return measured.analyser
    close()
    const source = context.createMediaStreamSource(new MediaStream([track]))
    const analyser = new AnalyserNode(context, { fftSize: 1024 })
    source.connect(analyser)
    measured = { track, source, analyser }
    return analyser
  }

  return {
    level(context, track) {
      if (context === undefined || track === undefined) return 0
      const analyser = measure(context, track)
      const samples = new Float32Array(analyser.fftSize)
      analyser.getFloatTimeDomainData(samples)
      return samples.reduce((peak, sample) => Math.min(1, Math.max(peak, Math.abs(sample))), 0)
    },
    close,
  }
}

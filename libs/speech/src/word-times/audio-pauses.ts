/** Times are ms from the first sample. */
export interface TimeSpan {
  readonly startMs: number
  readonly endMs: number
}

/** Where the sound of a speech begins and ends, and its pauses in between. */
export interface AudioPauses {
  readonly sound: TimeSpan
  readonly pauses: readonly TimeSpan[]
}

const frameMs = 10
/** Longer than the stop of a `t`, which is as quiet as a pause. */
const minPauseMs = 80
/** As a share of the loudest frame. The noise of a model in its pauses is quieter. */
const quietShare = 0.03
const quietestLoudness = 20

/** The root mean square of every frame. */
const loudnessOfFrames = (pcm: Int16Array, sampleRateHz: number): number[] => {
  const frameSamples = Math.max(1, Math.round((sampleRateHz * frameMs) / 1000))
  const loudness: number[] = []
  for (let start = 0; start < pcm.length; start += frameSamples) {
    const end = Math.min(start + frameSamples, pcm.length)
    let energy = 0
    for (let index = start; index < end; index++) energy += pcm[index]! ** 2
    loudness.push(Math.sqrt(energy / (end - start)))
  }
  return loudness
}

/** When there is no sound at all, the whole audio counts as sound. */
export const findPauses = (pcm: Int16Array, sampleRateHz: number): AudioPauses => {
  const audioMs = (pcm.length * 1000) / sampleRateHz
  const loudness = loudnessOfFrames(pcm, sampleRateHz)
  const peak = loudness.reduce((most, one) => Math.max(most, one), 0)
  const isLoud = (one: number) => one > Math.max(peak * quietShare, quietestLoudness)
  const first = loudness.findIndex(isLoud)
  if (first === -1) return { sound: { startMs: 0, endMs: audioMs }, pauses: [] }
  const last = loudness.findLastIndex(isLoud)

  const pauses: TimeSpan[] = []
  let quietSince: number | undefined
  for (let frame = first; frame <= last; frame++) {
    if (!isLoud(loudness[frame]!)) quietSince ??= frame
    else if (quietSince !== undefined) {
      const pause = { startMs: quietSince * frameMs, endMs: frame * frameMs }
      if (pause.endMs - pause.startMs >= minPauseMs) pauses.push(pause)
      quietSince = undefined
    }
  }
  return { sound: { startMs: first * frameMs, endMs: Math.min((last + 1) * frameMs, audioMs) }, pauses }
}

/** s16 samples of those between -1 and 1, made louder or softer; what is too loud is cut off. */
export const pcmOf = (samples: Float32Array, volume: number): Int16Array => {
  const pcm = new Int16Array(samples.length)
  for (let index = 0; index < samples.length; index++) {
    pcm[index] = Math.max(-32_768, Math.min(32_767, Math.round(samples[index]! * volume * 32_767)))
  }
  return pcm
}

export const joined = (parts: readonly Int16Array[]): Int16Array => {
  const pcm = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    pcm.set(part, at)
    at += part.length
  }
  return pcm
}

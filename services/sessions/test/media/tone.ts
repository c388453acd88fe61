/** A sine from sample `from` on, mono, 16 bits. */
export const tone = (options: {
  hz: number
  rateHz: number
  samples: number
  from?: number
  amplitude?: number
}): Int16Array =>
  Int16Array.from({ length: options.samples }, (_, at) =>
    Math.round(
      (options.amplitude ?? 8000) * Math.sin((2 * Math.PI * options.hz * ((options.from ?? 0) + at)) / options.rateHz),
    ),
  )

export const concat = (parts: readonly Int16Array[]): Int16Array => Int16Array.from(parts.flatMap((part) => [...part]))

export const rms = (pcm: Int16Array): number =>
  Math.sqrt(pcm.reduce((sum, x) => sum + x * x, 0) / Math.max(1, pcm.length))

/** The frequency of a tone, from where it crosses zero upwards. */
export const frequencyHz = (pcm: Int16Array, rateHz: number): number => {
  const crossings: number[] = []
  for (let at = 1; at < pcm.length; at++) {
    const [before, after] = [pcm[at - 1] as number, pcm[at] as number]
    if (before < 0 && after >= 0) crossings.push(at - after / (after - before))
  }
  const [first, last] = [crossings[0] ?? 0, crossings.at(-1) ?? 0]
  return last > first ? ((crossings.length - 1) * rateHz) / (last - first) : 0
}

/** The share of the energy that is at that frequency: 1 for a pure tone, near 0 for noise or another one. */
export const purity = (pcm: Int16Array, hz: number, rateHz: number): number => {
  let [re, im, energy] = [0, 0, 0]
  for (const [at, sample] of pcm.entries()) {
    const angle = (2 * Math.PI * hz * at) / rateHz
    re += sample * Math.cos(angle)
    im += sample * Math.sin(angle)
    energy += sample * sample
  }
  return energy === 0 ? 0 : (2 * (re * re + im * im)) / (pcm.length * energy)
}

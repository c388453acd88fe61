import { openSynthesizer, type Synthesizer } from '@parlance/engine-flite'
import koffi from 'koffi'

/** Most voices of flite have noise in them, by the random numbers of the C library. */
const seedRandom = koffi.load(null).func('void srand(unsigned int seed)')
let opening: Promise<Synthesizer> | undefined

/** Speech of flite at 16 kHz, the same each time, with a fifth of a second of silence before and after it. `voice` is 0 to 3. */
export const spoken = async (text: string, voice = 0): Promise<Int16Array> => {
  opening ??= openSynthesizer()
  const synthesizer = await opening
  const around = synthesizer.sampleRateHz / 5
  const samples: number[] = new Array(around).fill(0)
  const command = {
    text,
    voiceId: synthesizer.voices[voice]!.id,
    variant: 'flite',
    language: null,
    speed: 1,
    volume: 1,
  }
  seedRandom(1)
  synthesizer.speak(command, {
    audio: (block) => {
      for (const sample of block) samples.push(sample)
      return true
    },
    marks: () => {},
  })
  return Int16Array.from([...samples, ...new Array(around).fill(0)])
}

/** In frames of 20 ms at 16 kHz, as a peer's microphone sends it, or of so many samples; what does not fill one is left out. */
export const framesOf = (samples: Int16Array, frameSamples = 320): Int16Array[] =>
  Array.from({ length: Math.floor(samples.length / frameSamples) }, (_, frame) =>
    samples.slice(frame * frameSamples, (frame + 1) * frameSamples),
  )

import { concatPcm, msToSamples, pcmToBytes, wavHeader } from '@parlance/audio'
import { spoken } from '../services/sessions/test/spoken.js'

const sampleRateHz = 16_000

/** Resolves to a WAV at 16 kHz, in which strings are spoken and numbers are pauses in ms. */
export const spokenWav = async (parts: readonly (string | number)[]): Promise<Buffer> => {
  const recordings = parts.map((part) =>
    typeof part === 'number' ? new Int16Array(msToSamples(part, sampleRateHz)) : spoken(part),
  )
  const data = pcmToBytes(concatPcm(await Promise.all(recordings)))
  return Buffer.concat([wavHeader({ sampleRateHz, dataBytes: data.length }), data])
}

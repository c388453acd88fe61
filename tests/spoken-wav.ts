import { writeFile } from 'node:fs/promises'
import { concatPcm, msToSamples, pcmToBytes, wavHeader } from '@parlance/audio'
import { spoken } from '../services/sessions/test/spoken.js'

const sampleRateHz = 16_000

/** Writes a file that a browser plays as its microphone: strings are spoken, numbers are pauses in ms. */
export const writeSpokenWav = async (file: string, parts: readonly (string | number)[]): Promise<void> => {
  const recordings = parts.map((part) =>
    typeof part === 'number' ? new Int16Array(msToSamples(part, sampleRateHz)) : spoken(part),
  )
  const data = pcmToBytes(concatPcm(await Promise.all(recordings)))
  await writeFile(file, Buffer.concat([wavHeader({ sampleRateHz, dataBytes: data.length }), data]))
}

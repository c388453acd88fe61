import { writeFile } from 'node:fs/promises'
import { concatPcm, msToSamples, pcmToBytes, wavHeader } from '@parlance/audio'
import { spoken } from '../services/sessions/test/spoken.js'

const sampleRateHz = 16_000

/** What a person says and how long he says nothing, in ms, as a file for a browser to take for its microphone. */
export const writeSpokenWav = async (file: string, parts: readonly (string | number)[]): Promise<void> => {
  const heard = parts.map((part) =>
    typeof part === 'number' ? new Int16Array(msToSamples(part, sampleRateHz)) : spoken(part),
  )
  const data = pcmToBytes(concatPcm(await Promise.all(heard)))
  await writeFile(file, Buffer.concat([wavHeader({ sampleRateHz, dataBytes: data.length }), data]))
}

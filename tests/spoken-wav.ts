import { writeFile } from 'node:fs/promises'
import { concatPcm, msToSamples, pcmToBytes, wavHeader } from '@parlance/audio'
import { openSpeaker } from '@parlance/engine-flite'

const sampleRateHz = 16_000

/** What a person says and how long he says nothing, in ms, as mono PCM at 16 kHz: spoken by flite, which recognisers understand. */
export const speakPcm = async (parts: readonly (string | number)[]): Promise<Int16Array> => {
  const speaker = await openSpeaker()
  const voiceId = speaker.voices[0]!.id
  const spoken = parts.map((part) => {
    if (typeof part === 'number') return new Int16Array(msToSamples(part, sampleRateHz))
    const samples: Int16Array[] = []
    const output = {
      audio(more: Int16Array) {
        samples.push(more)
        return true
      },
      marks: () => {},
    }
    speaker.speak({ text: part, voiceId, variant: 'flite', language: null, speed: 1, volume: 1 }, output)
    return concatPcm(samples)
  })
  return concatPcm(spoken)
}

/** The same as a file, for a browser to take for its microphone. */
export const writeSpokenWav = async (file: string, parts: readonly (string | number)[]): Promise<void> => {
  const data = pcmToBytes(await speakPcm(parts))
  await writeFile(file, Buffer.concat([wavHeader({ sampleRateHz, dataBytes: data.length }), data]))
}

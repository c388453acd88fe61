import { concatPcm, pcmToBytes, wavHeader } from '@parlance/audio'
import { describeWithPrograms } from '@parlance/testing'
import { createAudioReader } from '../../src/transcription/audio-reader.js'
import { spoken } from '../spoken.js'

const sampleRateHz = 16_000
const never = new AbortController().signal
const read = createAudioReader({ maxDurationMs: 60_000 })

const wavOf = (samples: Int16Array): Uint8Array => {
  const data = pcmToBytes(samples)
  return Buffer.concat([wavHeader({ sampleRateHz, dataBytes: data.length }), data])
}

const silence = (seconds: number) => new Int16Array(seconds * sampleRateHz)

describeWithPrograms(['flite'], 'a recording of two sentences', () => {
  test('is cut into the two at the pause between them, with its length', async () => {
    const [first, second] = [await spoken('Please tell me a very long story.'), await spoken('What is the weather?')]
    const samples = concatPcm([first, silence(2), second])
    const { durationMs, utterances } = await read(wavOf(samples), never)
    expect(durationMs).toBe((samples.length * 1000) / sampleRateHz)
    expect(utterances).toHaveLength(2)
  })
})

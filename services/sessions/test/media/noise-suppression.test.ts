import { concatPcm } from '@parlance/audio'
import { describeWithPrograms } from '@parlance/testing'
import { loadNoiseSuppression } from '../../src/media/noise-suppression.js'
import { framesOf, spoken } from '../spoken.js'
import { randomFrom } from './random-from.js'

const openFilter = await loadNoiseSuppression()

/** Several seconds of speech with pauses in between, and noise of this root mean square. */
const noisySpeech = async (level: number): Promise<Int16Array> => {
  const sentence = await spoken('what is the weather like today')
  const clean = concatPcm([new Int16Array(16_000), sentence, new Int16Array(16_000), sentence, new Int16Array(16_000)])
  const random = randomFrom(1)
  return clean.map((sample) => sample + Math.round((random() * 2 - 1) * level * Math.sqrt(3)))
}

const filtered = (samples: Int16Array): Int16Array => {
  const { filter, close } = openFilter()
  const result = concatPcm(framesOf(samples).map(filter))
  close()
  return result
}

const rms = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

/** The last second is noise alone; the second sentence is before it. */
const noiseOf = (samples: Int16Array) => samples.subarray(-12_000)
const sentenceOf = (samples: Int16Array) => samples.subarray(-44_000, -20_000)

describeWithPrograms(['flite'], 'noise suppression', () => {
  test('removes the noise of a microphone and keeps the speech', async () => {
    const noisy = await noisySpeech(400)
    const result = filtered(noisy)
    expect(result).toHaveLength(noisy.length - (noisy.length % 320))
    expect(rms(noiseOf(result))).toBeLessThan(rms(noiseOf(noisy)) / 10)
    expect(rms(sentenceOf(result))).toBeGreaterThan(rms(sentenceOf(noisy)) / 2)
  })

  test('leaves audio without noise as it is', async () => {
    const clean = await noisySpeech(20)
    expect(filtered(clean)).toEqual(clean.subarray(0, clean.length - (clean.length % 320)))
  })

  test('conversations do not mix their audio', async () => {
    const noisy = framesOf(await noisySpeech(400))
    const others = framesOf(await noisySpeech(800))
    const [one, other] = [openFilter(), openFilter()]
    const alone = filtered(concatPcm(noisy))
    const together = noisy.map((frame, index) => {
      other.filter(others[index]!)
      return one.filter(frame)
    })
    one.close()
    other.close()
    expect(concatPcm(together)).toEqual(alone)
  })
})

import { EngineUnavailableError, type HostedRecognizer } from '@parlance/engine/host'
import { openSynthesizer } from '@parlance/engine-flite'
import { describeWithPrograms } from '@parlance/testing'
import { openRecognizer } from '../src/index.js'

/** Rounding of the processor decides which words are wrong. */
const sentences = [
  'how much does it cost',
  'what time do you open tomorrow',
  'i want to speak with a person',
  'where is the nearest station',
  'please tell me about the weather',
]

const spoken = async (text: string): Promise<Int16Array> => {
  const synthesizer = await openSynthesizer()
  const samples: number[] = []
  const command = { text, voiceId: synthesizer.voices[0]!.id, variant: 'flite', language: null, speed: 1, volume: 1 }
  synthesizer.speak(command, { audio: (block) => samples.push(...block) > 0, marks: () => {} })
  return Int16Array.from(samples)
}

describeWithPrograms(['flite', 'pocketsphinx'], 'pocketsphinx', () => {
  let recognizer: HostedRecognizer
  let speech: Int16Array
  beforeAll(async () => {
    recognizer = await openRecognizer()
    speech = await spoken(sentences[0]!)
  })

  const recognize = (samples: Int16Array, atOnce = 320, acoustics: readonly number[] | null = null) => {
    recognizer.begin({ language: 'en', acoustics })
    const texts = new Set<string>()
    for (let at = 0; at < samples.length; at += atOnce) {
      recognizer.accept(samples.subarray(at, at + atOnce))
      texts.add(recognizer.text())
    }
    recognizer.end()
    return { text: recognizer.text(), texts }
  }

  it('recognizes most words, and more of them as audio arrives', async () => {
    const missed: string[] = []
    for (const sentence of sentences) {
      const { text, texts } = recognize(await spoken(sentence))
      const recognized = text.split(' ')
      missed.push(...sentence.split(' ').filter((word) => !recognized.includes(word)))
      expect(texts.size).toBeGreaterThan(2)
    }
    expect(missed.length).toBeLessThan(sentences.join(' ').split(' ').length / 2)
  })

  it('recognizes nothing in silence, in no audio and in an abandoned utterance', () => {
    expect(recognize(new Int16Array(16_000)).text).toBe('')
    expect(recognize(new Int16Array(0)).text).toBe('')
    recognize(speech)
    recognizer.begin({ language: 'en', acoustics: null })
    expect(recognizer.text()).toBe('')
    recognizer.end()
    expect(recognizer.text()).toBe('')
  })

  it('recognizes the same text after any earlier utterances, and with any division of the audio', () => {
    const { text } = recognize(speech)
    recognize(Int16Array.from({ length: 32_000 }, (_, index) => 12_000 * Math.sin(index * index)))
    expect(recognize(speech).text).toBe(text)
    expect(recognize(speech, 1_600).text).toBe(text)
  })

  it('learns a voice, and uses the acoustics of an earlier utterance', () => {
    recognize(speech)
    const learned = recognizer.acoustics()
    recognize(speech, 320, learned)
    const learnedMore = recognizer.acoustics()
    expect(learnedMore).not.toEqual(learned)
    recognize(speech)
    expect(recognizer.acoustics()).toEqual(learned)
    recognize(speech, 320, learned)
    expect(recognizer.acoustics()).toEqual(learnedMore)
    recognize(speech, 320, [1, 2, 3])
    expect(recognizer.acoustics()).toEqual(learned)
  })
})

describe('without a model', () => {
  it('names the package to install', async () => {
    const opening = openRecognizer('/nowhere')
    await expect(opening).rejects.toThrow(EngineUnavailableError)
    await expect(opening).rejects.toThrow('(Debian: apt-get install pocketsphinx-en-us)')
  })
})

import { EngineUnavailableError, type HostedRecognizer } from '@parlance/engine/host'
import { openSpeaker } from '@parlance/engine-flite'
import { describeWithPrograms } from '@parlance/testing'
import { openHearer } from '../src/index.js'

/** Which of them it gets wrong differs from processor to processor, by how each rounds; that it understands most does not. */
const sentences = [
  'how much does it cost',
  'what time do you open tomorrow',
  'i want to speak with a person',
  'where is the nearest station',
  'please tell me about the weather',
]

const spoken = async (text: string): Promise<Int16Array> => {
  const speaker = await openSpeaker()
  const samples: number[] = []
  const command = { text, voiceId: speaker.voices[0]!.id, variant: 'flite', language: null, speed: 1, volume: 1 }
  speaker.speak(command, { audio: (block) => samples.push(...block) > 0, marks: () => {} })
  return Int16Array.from(samples)
}

describeWithPrograms(['flite', 'pocketsphinx'], 'pocketsphinx', () => {
  let hearer: HostedRecognizer
  let speech: Int16Array
  beforeAll(async () => {
    hearer = await openHearer()
    speech = await spoken(sentences[0]!)
  })

  const hear = (samples: Int16Array, atOnce = 320, acoustics: readonly number[] | null = null) => {
    hearer.begin({ language: 'en', acoustics })
    const texts = new Set<string>()
    for (let at = 0; at < samples.length; at += atOnce) {
      hearer.hear(samples.subarray(at, at + atOnce))
      texts.add(hearer.text())
    }
    hearer.end()
    return { text: hearer.text(), texts }
  }

  it('understands most of what is said, and more and more of it', async () => {
    const missed: string[] = []
    for (const sentence of sentences) {
      const { text, texts } = hear(await spoken(sentence))
      const understood = text.split(' ')
      missed.push(...sentence.split(' ').filter((word) => !understood.includes(word)))
      expect(texts.size).toBeGreaterThan(2)
    }
    expect(missed.length).toBeLessThan(sentences.join(' ').split(' ').length / 2)
  })

  it('understands nothing in silence, in nothing, and in what was left unsaid', () => {
    expect(hear(new Int16Array(16_000)).text).toBe('')
    expect(hear(new Int16Array(0)).text).toBe('')
    hear(speech)
    hearer.begin({ language: 'en', acoustics: null })
    expect(hearer.text()).toBe('')
    hearer.end()
    expect(hearer.text()).toBe('')
  })

  it('hears an utterance alike whatever came before it, and however it is cut', () => {
    const { text } = hear(speech)
    hear(Int16Array.from({ length: 32_000 }, (_, index) => 12_000 * Math.sin(index * index)))
    expect(hear(speech).text).toBe(text)
    expect(hear(speech, 1_600).text).toBe(text)
  })

  it('learns a voice, and knows it again when it is told', () => {
    hear(speech)
    const learnt = hearer.acoustics()
    hear(speech, 320, learnt)
    const learntMore = hearer.acoustics()
    expect(learntMore).not.toEqual(learnt)
    hear(speech)
    expect(hearer.acoustics()).toEqual(learnt)
    hear(speech, 320, learnt)
    expect(hearer.acoustics()).toEqual(learntMore)
    hear(speech, 320, [1, 2, 3])
    expect(hearer.acoustics()).toEqual(learnt)
  })
})

describe('without a model', () => {
  it('says what to install', async () => {
    const opening = openHearer('/nowhere')
    await expect(opening).rejects.toThrow(EngineUnavailableError)
    await expect(opening).rejects.toThrow('(Debian: apt-get install pocketsphinx-en-us)')
  })
})

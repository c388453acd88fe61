import { describeWithPrograms } from '@parlance/testing'
import { expectSoundMarks, phonemesOf } from './engine-contract.js'
import { hear, openScene, type Scene, utterance } from './engine-scene.js'

const describeSpeech = (implementation: 'native' | 'wasm') => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({ implementation })
  })
  afterAll(() => scene.engine.close())

  it('has a dozen voices', () => {
    expect(scene.engine.voices.length).toBeGreaterThanOrEqual(12)
  })

  it('comes as audio first and its marks last', async () => {
    const { kinds, samples } = await hear(scene.engine, 'Hello there, my friend.')
    expect(kinds.at(-1)).toBe('marks')
    expect(new Set(kinds.slice(0, -1))).toEqual(new Set(['audio']))
    expect(samples).toBeGreaterThan(scene.engine.sampleRateHz)
  })

  it('has marks that cover the words verbatim', async () => {
    const text = 'Of the people: don’t pay $5.99 & <b>bold</b> "quotes" — 😀 the end.'
    const received = await hear(scene.engine, text)
    expectSoundMarks(text, received)
    expect(received.words.map((word) => word.text)).toEqual(
      expect.arrayContaining(['Of', 'the', 'people', 'don’t', '5.99', '&', 'bold', 'quotes', '😀', 'end']),
    )
  })

  it('is not changed by what was spoken before it, in whatever voice and alphabet', async () => {
    const text = 'One voice does not color the next.'
    const before = await hear(scene.engine, text, 'Ada')
    for (const [voice, other] of [
      ['Zofia', 'Dzień dobry, <voice name="de">co słychać?'],
      ['Walter', 'Привет мир, 日本語, [[h@\'loU]] <prosody rate="300%">'],
    ]) {
      await hear(scene.engine, other!, voice)
      const after = await hear(scene.engine, text, 'Ada')
      expect(phonemesOf(after)).toBe(phonemesOf(before))
      expect(Math.abs(after.audioMs - before.audioMs)).toBeLessThan(20)
    }
  })

  it('applies the requested speed, and is silent at volume 0', async () => {
    const say = async (speed: number, volume: number) => {
      let samples = 0
      let peak = 0
      const asked = { ...utterance(scene.engine, 'Some words to say.'), speed, volume }
      for await (const event of scene.engine.speak(asked, { signal: new AbortController().signal })) {
        if (event.kind !== 'audio') continue
        samples += event.pcm.length
        peak = event.pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), peak)
      }
      return { samples, peak }
    }
    const plain = await say(1, 1)
    expect((await say(2, 1)).samples).toBeLessThan(plain.samples * 0.7)
    expect((await say(0.5, 1)).samples).toBeGreaterThan(plain.samples * 1.5)
    expect((await say(1, 0)).peak).toBe(0)
    expect((await say(1, 0.5)).peak).toBeLessThan(plain.peak * 0.7)
  })

  it('speaks all that follows NUL and markup', async () => {
    const words = async (text: string) => (await hear(scene.engine, text)).words.map((word) => word.text)
    expect(await words('before\0after')).toEqual(['before', 'after'])
    expect(await words('<speak>one</speak> &lt;two')).toEqual(expect.arrayContaining(['speak', 'one', 'lt', 'two']))
  })

  it('reports its implementation', () => {
    expect(scene.engine.info).toEqual({ implementation, version: expect.stringMatching(/^\d+\.\d+/) })
  })
}

describe('speech made by WebAssembly', () => describeSpeech('wasm'))
describeWithPrograms(['espeak-ng'], "speech made by the machine's library", () => describeSpeech('native'))

import { openSynthesizer, type Synthesizer, voices } from '../src/index.js'
import { describeImplementations } from './describe-implementations.js'

/** Programs and Agents store these ids: a line may be added, but none may be changed. */
const ids = [
  ['Ada', 'c4e6ab920f89f01485102aae2f9b26d5'],
  ['Grace', 'f2d1071a99e77148c40cb4d8e1bd9363'],
  ['Walter', 'ba013e75ba3b559bd8bf2adc800c4133'],
  ['Oscar', 'da2677f2bdbaff525bd008b6215a7aa5'],
  ['Edith', '0c157f10450cad6d2d5ae7d2d29f2f8f'],
  ['Arthur', 'b9f449f7970e4dbdaee56e2cb1ed4be6'],
  ['Angus', 'f3d4bcd007437da1cee1d5bcb10ee558'],
  ['Clara', '43adb01eadd0bcddb5f4b23ebf5baa72'],
  ['Emil', '2988b239b1a343eaead369d4be88364e'],
  ['Élise', 'b7645f6cb11df8ef454f7bb57d33753b'],
  ['Luc', 'c9c15bdb21e4950fe9584f02e492ef1b'],
  ['Lucía', '4522708bdaa8b6c3b257652c909f5e91'],
  ['Diego', '1cb237d9e2c44243ac7471f08b090b58'],
  ['Giulia', '0be6ea33ab618aab0ded97a27c7ad465'],
  ['Beatriz', '6bca31ff7357315514ba181aeff5be67'],
  ['Tiago', 'c708c512735226fdb6dadb6e5abf0131'],
  ['Sanne', 'ed4e15d9528fa1d549198e2a9062be9b'],
  ['Zofia', 'b77234177793f760420c0ff1080b298c'],
  ['Astrid', 'c566f3216da06b02d9177a6bcf99f325'],
  ['Noa', '395e1ee4a23a0a74d70864659f2d7b27'],
] as const

interface Sound {
  readonly name: string
  readonly samples: number[]
}

const soundOf = (synthesizer: Synthesizer, text: string, name: string): Sound => {
  const { id } = voices.find(({ displayName }) => displayName === name)!
  const samples: number[] = []
  const command = { text, voiceId: id, variant: 'standard', language: null, speed: 1, volume: 1 }
  synthesizer.speak(command, (block) => samples.push(...block) > 0)
  return { name, samples }
}

const rms = (samples: readonly number[]): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

/** The distribution of the sound's energy over ever finer differences, in percent of the whole. */
const spread = ({ samples }: Sound): number[] => {
  const whole = rms(samples)
  return [1, 2, 4, 8, 16, 32, 64].map(
    (step) => (100 * rms(samples.slice(step).map((sample, index) => sample - samples[index]!))) / whole,
  )
}

/** Vibrations a second in the middle of a vowel, by autocorrelation; the median over the sound. */
const pitchHz = ({ samples }: Sound, sampleRateHz: number): number => {
  const pitches: number[] = []
  for (let start = 0; start + 1100 < samples.length; start += 1100) {
    const at = (lag: number) => {
      let sum = 0
      for (let i = start; i < start + 700; i++) sum += samples[i]! * samples[i + lag]!
      return sum
    }
    const lags = Array.from({ length: 260 }, (_, index) => index + 70)
    const best = lags.reduce((most, lag) => (at(lag) > at(most) ? lag : most))
    if (at(best) > 0.6 * at(0) && at(0) > 700 * 300 ** 2) pitches.push(sampleRateHz / best)
  }
  return pitches.sort((a, b) => a - b)[pitches.length >> 1] ?? 0
}

describe('voices', () => {
  it('keep their ids forever', () => {
    expect(voices.map(({ displayName, id }) => [displayName, id])).toEqual(ids)
  })

  it('are at least twelve in at least six languages, each with a unique name', () => {
    expect(voices.length).toBeGreaterThanOrEqual(12)
    expect(new Set(voices.map(({ displayName }) => displayName.toLowerCase())).size).toBe(voices.length)
    const languages = voices.map((voice) => voice.languages[0]!.split('-')[0])
    expect(new Set(languages).size).toBeGreaterThanOrEqual(7)
  })

  it('have well-formed language tags, the general one among them', () => {
    for (const { languages } of voices) {
      expect(Intl.getCanonicalLocales(languages)).toEqual(languages)
      expect(languages).toContain(languages[0]!.split('-')[0])
    }
  })
})

describeImplementations('the voices', (implementation) => {
  let synthesizer: Synthesizer
  beforeAll(async () => {
    synthesizer = await openSynthesizer({ implementation })
  })

  it('speak each of their languages with its own sounds', () => {
    const seven: Record<string, RegExp> = {
      en: /s.*v.*n/,
      de: /z.*b.*n/,
      fr: /s.*t/,
      es: /s.*j?.*t.*e/,
      it: /s.*tː?.*e/,
      pt: /s.*t/,
      nl: /z.*v/,
      pl: /ɕ.*d/,
      sv: /ɧ|x|ʃ|ɕ/,
    }
    for (const voice of voices) {
      for (const language of voice.languages) {
        const command = { text: '7', voiceId: voice.id, variant: 'standard', language, speed: 1, volume: 1 }
        const marks = synthesizer.speak(command, () => true)
        const ipa = marks!.phonemes.map((phoneme) => phoneme.ipa).join('')
        expect(`${language} ${ipa}`).toMatch(seven[language.split('-')[0]!]!)
      }
    }
  })

  it('sound different: by pitch or by timbre', () => {
    const sounds = voices.map(({ displayName }) => soundOf(synthesizer, 'La la la, mama.', displayName))
    const ears = sounds.map((sound) => ({
      name: sound.name,
      pitch: pitchHz(sound, synthesizer.sampleRateHz),
      spread: spread(sound),
    }))
    for (const [index, one] of ears.entries()) {
      for (const other of ears.slice(index + 1)) {
        const higher = Math.abs(Math.log2(one.pitch / other.pitch)) * 12
        const brighter = Math.hypot(...one.spread.map((share, band) => share - other.spread[band]!))
        expect([one.name, other.name, higher > 1 || brighter > 5]).toEqual([one.name, other.name, true])
      }
    }
  })

  it('are about equally loud, and none is clipped', () => {
    for (const { displayName } of voices) {
      const { samples } = soundOf(
        synthesizer,
        'Anna, papa and mama. Kilo tango, salut, hallo, amigo, bravo!',
        displayName,
      )
      expect(rms(samples)).toBeGreaterThan(1200)
      expect(rms(samples)).toBeLessThan(3600)
      expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(31_000)
    }
  })
})

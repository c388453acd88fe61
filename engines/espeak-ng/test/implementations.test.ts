import { EngineUnavailableError } from '@parlance/engine/host'
import { describeWithPrograms } from '@parlance/testing'
import { openSynthesizer, type Synthesizer, voices } from '../src/index.js'

const texts: Record<string, readonly string[]> = {
  en: [
    'Good morning, this is the front desk, what can I do for you?',
    'Of the people: don’t pay $5.99 & <b>bold</b> "quotes" — 😀 the end.',
    'Your table for four is booked at half past seven on the 24th of May 2026.',
    'Dr. Smith lives at 221B Baker St.; call +1 (555) 010-9999 or mail a.b@example.com!',
    'elephants 日本 [[ é — \u0001V',
  ],
  de: ['Guten Tag, was kann ich für Sie tun?', 'Am 24. Mai um 19:30 Uhr, Tisch für 4; das kostet 5,99 €. Übermut.'],
  fr: ["Bonjour, ici l'accueil, que puis-je faire ?", 'Le 24 mai à 19 h 30 : ça coûte 5,99 €. Où êtes-vous, garçon ?'],
  es: ['Buenos días, ¿qué puedo hacer por usted?', 'El 24 de mayo a las 19:30; ¡cuesta 5,99 €! El niño, piñas.'],
  it: [
    'Buongiorno, che cosa posso fare per lei?',
    'Il 24 maggio alle 19:30, 4 persone: costa 5,99 €. Perché più città?',
  ],
  pt: ['Bom dia, o que posso fazer por você?', 'No dia 24 de maio às 19:30; custa 5,99 €. Coração, pães e avós.'],
  nl: ['Goedemorgen, wat kan ik voor u doen?', 'Op 24 mei om 19:30; het kost 5,99 €. Een geïnteresseerde zeeëend.'],
  pl: ['Dzień dobry, w czym mogę pomóc?', '24 maja o 19:30, 4 osoby; kosztuje 5,99 zł. Zażółć gęślą jaźń.'],
  sv: ['God morgon, vad kan jag göra för dig?', 'Den 24 maj klockan 19:30; det kostar 5,99 kr. Sju sjösjuka sjömän.'],
}

const spoken = (synthesizer: Synthesizer, text: string, voiceId: string, language: string) => {
  let samples = 0
  const command = { text, voiceId, variant: 'standard', language, speed: 1, volume: 1 }
  const marks = synthesizer.speak(command, (block) => {
    samples += block.length
    return true
  })
  return {
    words: marks!.words.map((word) => word.text),
    // Before 1.52 the library reports no stress with its phonemes.
    sounds: marks!.phonemes.map(({ ipa }) => ipa.replace(/[ˈˌ]/g, '')).filter((ipa) => ipa !== ''),
    seconds: samples / synthesizer.sampleRateHz,
  }
}

/** The edit distance of two lists. */
const editsBetween = (one: readonly string[], other: readonly string[]): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, item] of one.entries()) {
    const next = [index + 1]
    for (const [column, candidate] of other.entries()) {
      next.push(Math.min(row[column + 1]! + 1, next[column]! + 1, row[column]! + (item === candidate ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)!
}

describeWithPrograms(['espeak-ng'], 'both implementations', () => {
  let native: Synthesizer
  let wasm: Synthesizer
  beforeAll(async () => {
    native = await openSynthesizer({ implementation: 'native' })
    wasm = await openSynthesizer({ implementation: 'wasm' })
  })

  it.each(voices.map((voice) => [voice.displayName, voice] as const))('say the same as %s', (_name, voice) => {
    for (const language of voice.languages) {
      for (const text of texts[language.split('-')[0]!]!) {
        const [one, other] = [native, wasm].map((synthesizer) => spoken(synthesizer, text, voice.id, language))
        expect(one!.words).toEqual(other!.words)
        // Their language data is of different years.
        expect(editsBetween(one!.sounds, other!.sounds) / other!.sounds.length).toBeLessThan(0.1)
        expect(one!.seconds / other!.seconds).toBeGreaterThan(0.85)
        expect(one!.seconds / other!.seconds).toBeLessThan(1.15)
      }
    }
  })

  it('are distinguished by their info', () => {
    expect(native.info).toEqual({ implementation: 'native' })
    expect(native.version).toMatch(/^\d+\.\d+/)
    expect(wasm.info).toEqual({ implementation: 'wasm' })
  })

  it('are chosen by what is installed', async () => {
    expect((await openSynthesizer()).info).toEqual({ implementation: 'native' })
  })
})

describe('without a library', () => {
  it.each([
    ['that is missing', '/nowhere/libespeak-ng.so.1', /libespeak-ng is not installed.*apt-get install/],
    ['that is a different library', process.platform === 'linux' ? 'libc.so.6' : process.execPath, /espeak-ng/],
  ])(
    '%s, WebAssembly speaks and reports why, unless the native library is required',
    async (_case, library, reason) => {
      const synthesizer = await openSynthesizer({ library })
      expect(synthesizer.info).toEqual({ implementation: 'wasm', native_unavailable: expect.stringMatching(reason) })
      const insisted = openSynthesizer({ library, implementation: 'native' })
      await expect(insisted).rejects.toThrow(EngineUnavailableError)
      await expect(insisted).rejects.toThrow(reason)
    },
  )
})

import type { Voice } from '../src/voices/voice-queries.js'

// The client of the API is opened when its module is loaded, which takes the address of the page.
Object.defineProperty(globalThis, 'location', { value: new URL('http://localhost'), configurable: true })
const { nearestVoice } = await import('../src/voices/voice-choice.js')

const voice = (language: string, status = 'available') => ({ id: language, languages: [language], status }) as Voice
const voices = ['en-US', 'en-GB', 'de-DE', 'pt-BR', 'pt-PT'].map((language) => voice(language))

const { navigator } = globalThis
const browserIn = (...languages: string[]) =>
  Object.defineProperty(globalThis, 'navigator', { value: { languages }, configurable: true })
afterAll(() => Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true }))

test.each([
  ['the exact region', ['en-GB'], 'en-GB'],
  ['the language in another region', ['en-AU'], 'en-US'],
  ['the exact region rather than the better voice', ['pt-PT'], 'pt-PT'],
  ['the second language, when no voice speaks the first one', ['hu', 'de-AT'], 'de-DE'],
  ['English, when no voice speaks any of them', ['hu'], 'en-US'],
])('the voice for a person speaks %s', (_what, languages, chosen) => {
  browserIn(...languages)
  expect(nearestVoice(voices)?.id).toBe(chosen)
})

test('a voice that is not available is not chosen', () => {
  browserIn('de-DE')
  expect(nearestVoice([voice('de-DE', 'unavailable'), voice('en-GB')])?.id).toBe('en-GB')
})

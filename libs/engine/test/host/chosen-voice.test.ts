import { chosenVoice, SpeechRefusedError } from '../../src/host/index.js'

const ada = { id: 'ada', variants: [{ id: 'standard' }], languages: ['en-GB', 'en-US'] }
const voices = new Map([[ada.id, ada]])
const job = (of: Partial<{ voiceId: string; variant: string; language: string | null }>) => ({
  voiceId: 'ada',
  variant: 'standard',
  language: null,
  ...of,
})

test('a job gets the main language of its voice, or the one that it names in any case', () => {
  expect(chosenVoice(voices, job({}))).toEqual({ voice: ada, language: 'en-GB' })
  expect(chosenVoice(voices, job({ language: 'EN-us' }))).toEqual({ voice: ada, language: 'en-US' })
})

test.each([
  ['voice', { voiceId: 'eve' }, 'unknown voice'],
  ['variant', { variant: 'fast' }, 'the voice does not have this variant'],
  ['language', { language: 'en' }, 'the voice does not speak this language'],
])('a job with a %s that the engine does not have is refused', (_, of, message) => {
  expect(() => chosenVoice(voices, job(of))).toThrow(new SpeechRefusedError(message))
})

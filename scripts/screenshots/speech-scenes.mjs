// The scenes of the pages that speak a text.
import { failed, id, longName, rightToLeft, signedInAs } from './answers.mjs'

const voice = (number, display_name, languages, more = {}) => ({
  id: String(number).repeat(32),
  display_name,
  languages,
  gender: 'female',
  tags: [],
  status: 'available',
  variants: [{ id: 'standard', display_name: 'Standard', credit_per_1k_characters: '0.015' }],
  ...more,
})
const voices = [
  voice(1, 'Ada', ['en-GB']),
  voice(2, longName, ['de-DE']),
  voice(3, rightToLeft, ['ar']),
  voice(4, 'Bruno', ['fr-FR'], { status: 'unavailable' }),
]
const license = { of: 'Joe (medium)', license: 'CC0', source: 'https://example.com/license', lineage: null }
const natural = {
  name: 'en_US-joe-medium',
  display_name: 'Joe (medium)',
  language: 'en-US',
  size_bytes: 63_201_294,
  licenses: [license, { ...license, of: 'eSpeak NG data', license: 'GPL-3.0-or-later' }],
}
const offer = '/dashboard/api/try/natural-voice'
const command = 'npx parlance models install en_US-joe-medium'

const withVoices = (answer, found = { status: 404, body: {} }, installed = 'pending') => ({
  ...signedInAs('owner'),
  '/dashboard/api/v1/voices': answer,
  [offer]: found,
  '/dashboard/api/try/models': installed,
})
const all = { body: { voices, next_cursor: null } }
const offered = { body: { command, voice: natural } }

const openOffer = (page) => page.getByRole('button', { name: 'Get a natural voice' }).click()
const download = async (page) => {
  await openOffer(page)
  await page.getByLabel('I accept the license.').check()
  await page.getByRole('button', { name: /^Download / }).click()
}
const problem = { code: 'upstream_error', detail: `The file no longer exists at https://example.com/${id(1)}.` }
const path = '/playground/speech'

export const speechScenes = [
  { name: 'speech', path, answers: withVoices(all, offered) },
  {
    name: 'speech-long',
    path,
    answers: withVoices(all),
    act: (page) => page.getByLabel('Text to speak').fill(`${longName}. `.repeat(90)),
  },
  {
    name: 'speech-right-to-left',
    path,
    answers: withVoices(all),
    async act(page) {
      await page.getByLabel('Voice').selectOption('3'.repeat(32))
      await page.getByLabel('Text to speak').fill(`${rightToLeft}. `.repeat(4))
    },
  },
  { name: 'speech-empty', path, answers: withVoices({ body: { voices: [], next_cursor: null } }) },
  { name: 'speech-loading', path, answers: withVoices('pending') },
  { name: 'speech-failed', path, answers: withVoices(failed) },
  {
    name: 'speech-problem',
    path,
    answers: {
      ...withVoices(all),
      '/dashboard/api/v1/tts/stream-tokens': { status: 402, body: { code: 'insufficient_credit', detail: 'None.' } },
    },
    act: (page) => page.getByRole('button', { name: 'Speak' }).click(),
  },
  { name: 'speech-voice-offered', path, answers: withVoices(all, offered), act: openOffer },
  {
    name: 'speech-voice-elsewhere',
    path,
    answers: withVoices(all, { body: { command, voice: null } }),
    act: openOffer,
  },
  { name: 'speech-voice-downloading', path, answers: withVoices(all, offered), act: download },
  {
    name: 'speech-voice-failed',
    path,
    answers: withVoices(all, offered, { status: 502, body: problem }),
    act: download,
  },
  { name: 'speech-key', path: '/try/speech', answers: {} },
]

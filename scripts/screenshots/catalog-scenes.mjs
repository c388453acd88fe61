// The scenes of the catalog, and of usage and credit.
import { at, failed, id, longName, rightToLeft } from './answers.mjs'
import { pageOf, signedIn } from './record-answers.mjs'

const voice = (number, display_name, languages, more = {}) => ({
  id: String(number).padStart(32, '0'),
  display_name,
  description: 'A calm voice for long texts.',
  languages,
  gender: 'female',
  tags: ['calm', 'warm'],
  status: 'available',
  license: 'CC0-1.0',
  variants: [{ id: 'standard', display_name: 'Standard', credit_per_1k_characters: '0.015' }],
  ...more,
})
const voices = [
  voice(1, 'Ada', ['en', 'en-GB']),
  voice(2, longName, ['de'], { tags: ['slow', 'deep'], license: 'Creative Commons Attribution-ShareAlike 4.0' }),
  voice(3, rightToLeft, ['ar']),
  ...Array.from({ length: 120 }, (_, index) => voice(index + 4, `Voice ${index + 1}`, ['fr'])),
]
const withVoices = (answer) => ({ ...signedIn(), '/dashboard/api/v1/voices': answer })

const avatar = (number, name, display_name) => ({
  id: id(number),
  display_name,
  thumbnail_url: `/assets/avatars/${name}.webp`,
  license: 'CC0-1.0',
  asset: { size_bytes: 2_345_120, url: `/assets/avatars/${name}.glb`, sha256: '0'.repeat(64) },
  viseme_morph_targets: {},
  expression_morph_targets: {},
})
const avatars = [
  avatar(1, 'mira', 'Mira'),
  avatar(2, 'jonas', longName),
  avatar(3, 'amara', rightToLeft),
  avatar(4, 'victor', 'Victor'),
]
const withAvatars = (answer) => ({ ...signedIn(), '/dashboard/api/v1/avatars': answer })

const group = (key, credit_used) => ({
  ...{ key, credit_used, operations: 1234 },
  ...{
    tts_characters: 45_678,
    session_seconds: 7_384,
    stt_seconds: 12,
    llm_input_tokens: 210_000,
    llm_output_tokens: 4,
  },
})
const byDay = Array.from({ length: 30 }, (_, index) => group(at(29 - index).slice(0, 10), `${(index * 7) % 11}.25`))
const usage = {
  day: byDay.filter((_, index) => index % 6 !== 2),
  agent: [group(id(1), '91.5'), group(id(2), '42'), group(id(3), '12.25'), group(id(9), '1'), group(null, '0.0000312')],
  api_key: [group(id(1), '100.1'), group(id(2), '30'), group(id(8), '7.0312'), group(null, '1')],
  kind: [group('session', '120'), group('stt', '6.75'), group('tts', '19.5')],
}
const credit = (balance, reserved = '0.10') => ({ body: { balance, reserved, unit: 'credit', updated_at: at(0) } })
const withUsage = (balance, reports = usage) => ({
  ...signedIn(),
  '/dashboard/api/v1/credit': balance,
  '/dashboard/api/v1/usage': (query) =>
    reports === 'pending'
      ? reports
      : { body: { group_by: query.get('group_by'), usage: reports[query.get('group_by')] } },
})
const nothing = { day: [], agent: [], api_key: [], kind: [] }
const drawn = (page) => page.getByRole('img', { name: 'Credit used on each day' }).waitFor()
const openTab = (name) => async (page) => {
  await drawn(page)
  await page.getByRole('tab', { name }).click()
}
const scrollDown = async (page) => {
  await drawn(page)
  await page.getByRole('tablist').evaluate((tabs) => tabs.scrollIntoView())
}

/** A workspace whose last day has only live conversations, and one day before without any. */
const overviewOf = (days) => {
  const figures = (index) => ({
    ...{
      conversations: 20 + ((index * 13) % 17),
      ended: 20 + ((index * 13) % 17),
      succeeded: 19 + ((index * 13) % 17),
    },
    voice_to_voice_ms: { p50: 740 + ((index * 97) % 310), p95: 1_400 + ((index * 53) % 400) },
  })
  const found = Array.from({ length: days }, (_, index) => ({ day: at(index).slice(0, 10), ...figures(index) }))
  const live = { conversations: 2, ended: 0, succeeded: 0, voice_to_voice_ms: null }
  const listed = found.toReversed().filter((_, index) => index % 7 !== 2)
  return {
    total: {
      conversations: 27 * days,
      ended: 26 * days,
      succeeded: 25 * days,
      voice_to_voice_ms: figures(0).voice_to_voice_ms,
    },
    days: listed.map((one, index) => (index === listed.length - 1 ? { ...one, ...live } : one)),
  }
}
const withOverview = (answer, reports = usage) => ({
  ...withUsage(credit('1234.5'), reports),
  '/dashboard/api/overview': answer,
})
/** The list of first steps was closed. */
const overviewScene = {
  path: '/',
  init: `localStorage.setItem('parlance.get-started.${id(1)}', '2026-01-31')`,
}
const openNumbers = async (page) => {
  await drawn(page)
  await page.getByText('Numbers by day').click()
  await page.getByRole('table').evaluate((table) => table.scrollIntoView())
}

export const catalogScenes = [
  { name: 'voices', path: '/voices', answers: withVoices(pageOf('voices', voices)) },
  {
    name: 'voices-filtered',
    path: '/voices',
    answers: withVoices(pageOf('voices', voices)),
    async act(page) {
      await page.getByRole('combobox', { name: 'Language' }).click()
      await page.getByRole('option', { name: 'German' }).click()
    },
  },
  { name: 'voices-empty', path: '/voices', answers: withVoices(pageOf('voices', [])) },
  { name: 'voices-loading', path: '/voices', answers: withVoices('pending') },
  { name: 'voices-failed', path: '/voices', answers: withVoices(failed) },
  { name: 'avatars', path: '/avatars', answers: withAvatars(pageOf('avatars', avatars)) },
  { name: 'avatars-empty', path: '/avatars', answers: withAvatars(pageOf('avatars', [])) },
  { name: 'avatars-loading', path: '/avatars', answers: withAvatars('pending') },
  { name: 'avatars-failed', path: '/avatars', answers: withAvatars(failed) },
  {
    name: 'avatars-no-match',
    path: '/avatars',
    answers: withAvatars(pageOf('avatars', avatars)),
    act: (page) => page.getByRole('searchbox').fill('nothing'),
  },
  {
    name: 'avatars-preview',
    path: '/avatars',
    answers: withAvatars(pageOf('avatars', avatars)),
    async act(page) {
      await page.getByRole('button', { name: 'Preview Mira' }).click()
      // The scenes have no address of the machine, and pages of others may not check a model.
      await page.waitForSelector('[role=dialog] [data-status=error]')
    },
  },
  { ...overviewScene, name: 'overview', answers: withOverview({ body: overviewOf(7) }), act: drawn },
  { ...overviewScene, name: 'overview-numbers', answers: withOverview({ body: overviewOf(7) }), act: openNumbers },
  {
    ...overviewScene,
    name: 'overview-90-days',
    answers: withOverview({ body: overviewOf(90) }),
    async act(page) {
      await drawn(page)
      await page.getByText('90 days').click()
    },
  },
  { ...overviewScene, name: 'overview-empty', answers: withOverview({ body: overviewOf(0) }, nothing) },
  { ...overviewScene, name: 'overview-failed', answers: withOverview(failed) },
  { ...overviewScene, name: 'overview-loading', answers: withOverview('pending', 'pending') },
  { name: 'usage', path: '/usage', answers: withUsage(credit('1234.5')), act: drawn },
  { name: 'usage-by-agent', path: '/usage', answers: withUsage(credit('1234.5')), act: scrollDown },
  { name: 'usage-by-key', path: '/usage', answers: withUsage(credit('1234.5')), act: openTab('By API key') },
  { name: 'usage-low', path: '/usage', answers: withUsage(credit('12.4')), act: drawn },
  { name: 'usage-exhausted', path: '/usage', answers: withUsage(credit('0.10')), act: drawn },
  { name: 'usage-empty', path: '/usage', answers: withUsage(credit('100', '0'), nothing) },
  { name: 'usage-failed', path: '/usage', answers: withUsage(failed) },
  { name: 'usage-loading', path: '/usage', answers: withUsage(credit('1234.5'), 'pending') },
]

import { join } from 'node:path'
import { banner } from '../src/banner.js'

const key = { url: 'http://127.0.0.1:8080', api_key: 'awp_dev_0123456789', workspace_id: 'w' }
const file = join(process.cwd(), '.parlance/dev.json')
const balance = '987.65'
const voiceId = '0123456789abcdef0123456789abcdef'
const ownerLink = undefined
const openSteps: string[] = []

/** The command as a shell reads it: continued lines are one. */
const commandIn = (text: string) => /^ *curl .*$/m.exec(text.replaceAll('\\\n', ''))?.[0] ?? ''

test('a new key is shown, and is in the command for the first speech', () => {
  const text = banner({ key, isNew: true, file, voiceId, balance, ownerLink, openSteps })
  expect(text).toContain('Key    awp_dev_0123456789')
  expect(commandIn(text)).toContain('"Authorization: Bearer awp_dev_0123456789"')
  expect(commandIn(text)).toContain(`"voice_id":"${voiceId}"`)
})

test('a key from an earlier start is not shown again; the command reads it from its file', () => {
  const text = banner({ key, isNew: false, file, voiceId, balance, ownerLink, openSteps })
  expect(text).not.toContain(key.api_key)
  expect(commandIn(text)).toContain("require('./.parlance/dev.json').api_key")
})

test('the remaining credit is shown', () => {
  expect(banner({ key, isNew: false, file, voiceId, balance, ownerLink, openSteps })).toMatch(/^ {2}Credit 987\.65$/m)
})

test('without a voice no command is shown, since it would fail', () => {
  const text = banner({ key, isNew: true, file, voiceId: undefined, balance, ownerLink, openSteps })
  expect(text).not.toContain('curl')
  expect(text).toContain('No voice is available')
})

test('the page that plays speech is shown', () => {
  const text = banner({ key, isNew: true, file, voiceId, balance, ownerLink, openSteps })
  expect(text).toMatch(/^ {2}Play {3}http:\/\/127\.0\.0\.1:8080\/play$/m)
})

test('the link of the first Owner is one line, and is left out when there is none', () => {
  const link = `${key.url}/dashboard/auth/magic-link/verify?token=abc&callbackURL=%2F`
  const shown = { key, isNew: false, file, voiceId, balance, openSteps }
  const lines = banner({ ...shown, ownerLink: link }).split('\n')
  expect(lines.filter((line) => line.startsWith(`  Owner  ${link}`))).toHaveLength(1)
  expect(banner({ ...shown, ownerLink })).not.toContain('Owner')
})

test('the dashboard is shown, and what is missing for a good conversation is one line', () => {
  const shown = { key, isNew: false, file, voiceId, balance, ownerLink }
  const text = banner({ ...shown, openSteps: ['a natural voice', 'a language model'] })
  expect(text).toMatch(/^ {2}Pages {2}http:\/\/127\.0\.0\.1:8080\/ /m)
  expect(
    text.split('\n').filter((line) => line.startsWith('Missing: a natural voice, a language model.')),
  ).toHaveLength(1)
  expect(banner({ ...shown, openSteps })).not.toContain('Missing')
})

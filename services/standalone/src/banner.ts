import { relative } from 'node:path'
import type { FoundDevelopmentKey } from './development-key.js'

interface BannerOptions extends FoundDevelopmentKey {
  /** Undefined when no engine offers a voice. */
  voiceId: string | undefined
  /** The credit of the key's workspace. */
  balance: string
  /** Signs the first Owner in, once. Undefined when a member has a password. */
  ownerLink: string | undefined
  /** What is missing for a good conversation, such as "a recognizer". */
  openSteps: readonly string[]
}

const shown = (file: string) => {
  const fromHere = relative(process.cwd(), file)
  return fromHere.startsWith('..') ? file : `./${fromHere}`
}

/** The text that is printed when everything runs. It contains the key only when the key is new. */
export const banner = ({ key, isNew, file, voiceId, balance, ownerLink, openSteps }: BannerOptions): string => {
  const keyInShell = isNew ? key.api_key : `$(node -p "require('${shown(file)}').api_key")`
  const curl = [
    `curl -fsS ${key.url}/v1/tts`,
    `-H "Authorization: Bearer ${keyInShell}"`,
    `-H "Content-Type: application/json"`,
    `-d '{"text":"Hello! You have just made me speak.","voice_id":"${voiceId}"}'`,
    '--output hello.mp3',
  ]
  const lines = [
    '',
    'Parlance is running.',
    '',
    `  Pages  ${key.url}/   (the dashboard)`,
    `  API    ${key.url}/v1`,
    `  Play   ${key.url}/play`,
    `  Talk   ${key.url}/talk`,
    `  Docs   ${key.url}/docs/`,
    ...(ownerLink === undefined ? [] : [`  Owner  ${ownerLink}   (signs in once, within an hour)`]),
    isNew ? `  Key    ${key.api_key}   (shown this once, kept in ${shown(file)})` : `  Key    in ${shown(file)}`,
    `  Credit ${balance}`,
    ...(openSteps.length === 0
      ? []
      : ['', `Missing: ${openSteps.join(', ')}. Get started in the dashboard, or run npx parlance setup.`]),
    '',
    ...(voiceId === undefined
      ? ['No voice is available: no speech engine has started. LOG_LEVEL=info shows more.']
      : ['Hear it speak:', '', `  ${curl.join(' \\\n    ')}`]),
    '',
    'Ctrl-C stops it.',
    '',
  ]
  return lines.join('\n')
}

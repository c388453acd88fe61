import { keyVariable } from '../agents/integrate/snippets.js'
import { api } from '../api/api.js'
import { useWorkspace } from '../session/signed-in.js'

const join = (...parts: readonly string[]): string => parts.join(' \\\n  ')

const withVoice = (key: string, voiceId: string): string =>
  join(
    `curl -fsS ${location.origin}/v1/tts`,
    `-H "Authorization: Bearer ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '{"text":"Hello from Parlance.","voice_id":"${voiceId}"}'`,
    '--output hello.mp3',
  )

const withoutVoice = (key: string): string =>
  join(`curl -fsS ${location.origin}/v1/agents`, `-H "Authorization: Bearer ${key}"`)

interface CallCommand {
  readonly command: string
  /** Whether it saves speech, in the file hello.mp3. */
  readonly savesSpeech: boolean
}

/** A command that calls the API of this address with a key, or with that of the variable. */
export const useCallCommand = (key = `$${keyVariable}`): CallCommand => {
  const canSpeak = useWorkspace().capabilities.includes('tts')
  const { data } = api.useQuery(
    'get',
    '/dashboard/api/v1/voices',
    // The text of the command is English.
    { params: { query: { limit: 100, language: 'en' } } },
    { enabled: canSpeak },
  )
  const voice = data?.voices.find(({ status }) => status === 'available')
  return voice === undefined
    ? { command: withoutVoice(key), savesSpeech: false }
    : { command: withVoice(key, voice.id), savesSpeech: true }
}

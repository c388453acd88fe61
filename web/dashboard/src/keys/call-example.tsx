import { Stack, Text, Title } from '@mantine/core'
import { api } from '../api/api.js'
import { useWorkspace } from '../session/signed-in.js'
import { CopyField } from '../shared/copy-field.js'

const withVoice = (origin: string, voiceId: string): string =>
  [
    `curl -fsS ${origin}/v1/tts`,
    '-H "Authorization: Bearer $PARLANCE_API_KEY"',
    '-H "Content-Type: application/json"',
    `-d '{"text":"Hello from Parlance.","voice_id":"${voiceId}"}'`,
    '--output hello.mp3',
  ].join(' \\\n  ')

const withoutVoice = (origin: string): string =>
  `curl -fsS ${origin}/v1/agents \\\n  -H "Authorization: Bearer $PARLANCE_API_KEY"`

/** A command that works here as soon as the variable has a key. */
export const CallExample = () => {
  const canSpeak = useWorkspace().capabilities.includes('tts')
  const { data } = api.useQuery(
    'get',
    '/dashboard/api/v1/voices',
    { params: { query: { limit: 1 } } },
    { enabled: canSpeak },
  )
  const voice = data?.voices.find(({ status }) => status === 'available')
  const command = voice === undefined ? withoutVoice(location.origin) : withVoice(location.origin, voice.id)
  return (
    <Stack gap="xs" component="section" aria-labelledby="call-example">
      <Title order={2} size="h4" id="call-example">
        Call the API
      </Title>
      <Text size="sm">Put a key into the variable PARLANCE_API_KEY, and run this command:</Text>
      <CopyField name="the command" value={command} />
    </Stack>
  )
}

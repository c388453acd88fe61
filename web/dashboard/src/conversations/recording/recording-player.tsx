import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Loading } from '../../shared/loaded.js'
import { Moment } from '../../shared/moment.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import { formatBytes, formatDuration } from '../../shared/quantities.js'
import { type Recording, useAudioUrl } from './recording-queries.js'
import type { Player } from './use-player.js'

const Note = ({ children }: { readonly children: ReactNode }) => <Text c="dimmed">{children}</Text>

interface StoredProps {
  readonly sessionId: string
  readonly recording: Recording
  readonly player: Player
}

const Stored = ({ sessionId, recording, player }: StoredProps) => {
  const { url, query } = useAudioUrl(sessionId)
  if (query.error !== null) return <ProblemAlert error={query.error} retry={() => query.refetch()} />
  if (url === undefined) return <Loading />
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Box
          component="audio"
          ref={player.audio}
          flex={1}
          miw="min(100%, 260px)"
          h={40}
          src={url}
          controls
          aria-label="Recording"
          onTimeUpdate={player.follow}
          onSeeked={player.follow}
        />
        <Button
          component="a"
          href={url}
          download={`conversation-${sessionId}.ogg`}
          variant="default"
          leftSection={<Download />}
        >
          Save the audio
        </Button>
      </Group>
      <Note>
        {formatDuration(recording.duration_ms! / 1000)}, {formatBytes(recording.size_bytes!)}. The user is on the left,
        the Agent on the right. It will be deleted <Moment at={recording.expires_at!} />.
      </Note>
    </Stack>
  )
}

const absent: Readonly<Record<Exclude<Recording['state'], 'stored'>, string>> = {
  recording: 'The conversation is being recorded. The recording can be played when it has ended.',
  failed: 'The recording failed.',
  deleted: 'The recording was deleted.',
  not_recorded: 'The conversation was not recorded.',
}

/** The recording of a conversation, or the reason why it is missing. */
export const RecordingPlayer = ({ sessionId, recording, player }: StoredProps) => (
  <Paper withBorder p="md">
    {recording.state === 'stored' ? (
      <Stored sessionId={sessionId} recording={recording} player={player} />
    ) : (
      <Note>
        {absent[recording.state]} {recording.failure}
      </Note>
    )}
  </Paper>
)

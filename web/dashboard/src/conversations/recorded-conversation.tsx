import { Text } from '@mantine/core'
import { ProblemAlert } from '../shared/problem-alert.js'
import { Section } from '../shared/section.js'
import type { Conversation } from './conversation-queries.js'
import { isLive } from './conversation-words.js'
import { RecordingPlayer } from './recording/recording-player.js'
import { useRecording } from './recording/recording-queries.js'
import { usePlayer } from './recording/use-player.js'
import { Transcript } from './transcript.js'

/** The recording of a conversation, where there is one, and the transcript, which is played by it. */
export const RecordedConversation = ({ conversation }: { readonly conversation: Conversation }) => {
  const { data: recording, error, refetch } = useRecording(conversation.id, isLive(conversation.status))
  const player = usePlayer(recording?.positions ?? [])
  return (
    <>
      {recording === undefined && <ProblemAlert error={error} retry={() => refetch()} />}
      {recording !== undefined && recording !== null && (
        <Section title="Recording">
          <RecordingPlayer sessionId={conversation.id} recording={recording} player={player} />
        </Section>
      )}
      <Section title="Transcript">
        {conversation.transcript.length + conversation.tool_calls.length > 0 ? (
          <Transcript conversation={conversation} player={recording?.state === 'stored' ? player : undefined} />
        ) : (
          <Text c="dimmed">No messages are stored.</Text>
        )}
      </Section>
    </>
  )
}

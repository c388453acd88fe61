import { Anchor, Badge, Button, Group, List, Paper, Stack, Text } from '@mantine/core'
import { Play } from 'lucide-react'
import type { Conversation, Message } from './conversation-queries.js'
import { formatPosition, type Player } from './recording/use-player.js'
import { ToolCalls } from './tool-calls.js'
import classes from './transcript.module.css'
import { entriesOf, type MessageEntry } from './transcript-entries.js'
import { durationOf } from './turn-stages.js'
import { TurnWaterfall } from './turn-waterfall.js'

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' })

/** Addresses of other kinds are shown and not linked. */
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url)

const Sources = ({ sources }: { readonly sources: NonNullable<Message['sources']> }) => (
  <List size="xs" aria-label="Sources">
    {sources.map((source) =>
      'url' in source ? (
        <List.Item key={source.url}>
          {isWebAddress(source.url) ? (
            <Anchor href={source.url} target="_blank" rel="noreferrer" size="xs" underline="always">
              {source.title}
            </Anchor>
          ) : (
            source.title
          )}
        </List.Item>
      ) : (
        <List.Item key={`${source.file_id} ${source.passage}`}>
          <details>
            <summary>{source.title}</summary>
            <Text size="xs" c="dimmed" dir="auto" className={classes.text}>
              {source.passage}
            </Text>
          </details>
        </List.Item>
      ),
    )}
  </List>
)

interface PlayButtonProps {
  readonly message: Message
  readonly player: Player
}

const PlayButton = ({ message, player }: PlayButtonProps) => {
  const startMs = player.startOf(message.id)
  if (startMs === undefined) return null
  const position = formatPosition(startMs)
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      leftSection={<Play size={12} />}
      aria-label={`Play from ${position}`}
      onClick={(event) => {
        event.stopPropagation()
        player.playFrom(message.id)
      }}
    >
      {position}
    </Button>
  )
}

interface MessageProps {
  readonly message: Message
  /** The player of the recording; undefined without one. */
  readonly player: Player | undefined
}

const MessageText = ({ message, player }: MessageProps) => (
  <>
    <Group gap="xs">
      <Text fw={600}>{message.role === 'user' ? 'User' : 'Agent'}</Text>
      <Text size="xs" c="dimmed">
        <time dateTime={message.created_at}>{clock.format(new Date(message.created_at))}</time>
      </Text>
      {player !== undefined && <PlayButton message={message} player={player} />}
      {message.interrupted && (
        <Badge size="sm" color="orange">
          Interrupted
        </Badge>
      )}
    </Group>
    <Text dir="auto" className={classes.text}>
      {message.text}
    </Text>
  </>
)

interface EntryProps extends Omit<MessageProps, 'message'> {
  readonly entry: MessageEntry
  readonly longestMs: number
}

/** A click that selects text plays nothing. */
const hasSelection = (): boolean => document.getSelection()?.isCollapsed === false

const Entry = ({ entry, longestMs, player }: EntryProps) => {
  const { message, calls, turn } = entry
  return (
    <Paper
      component="li"
      withBorder
      p="sm"
      data-role={message.role}
      data-playable={player?.startOf(message.id) !== undefined || undefined}
      aria-current={player?.currentId === message.id || undefined}
      className={classes.message}
    >
      <Stack gap={6} className={classes.spoken} onClick={() => hasSelection() || player?.playFrom(message.id)}>
        <MessageText message={message} player={player} />
      </Stack>
      {message.sources !== undefined && <Sources sources={message.sources} />}
      {calls.length > 0 && <ToolCalls calls={calls} />}
      {turn !== undefined && <TurnWaterfall turn={turn} longestMs={longestMs} />}
    </Paper>
  )
}

interface TranscriptProps extends Pick<MessageProps, 'player'> {
  readonly conversation: Conversation
}

/** The messages and the tool calls, with the timings of each turn below the message that it answers. */
export const Transcript = ({ conversation, player }: TranscriptProps) => {
  const longestMs = Math.max(...conversation.turns.map(durationOf))
  return (
    <Stack gap="sm" component="ol" className={classes.messages} aria-label="Transcript">
      {entriesOf(conversation).map((entry) =>
        entry.message === undefined ? (
          <li key={entry.calls[0]!.id} data-role="agent" className={classes.message}>
            <ToolCalls calls={entry.calls} />
          </li>
        ) : (
          <Entry key={entry.message.id} entry={entry} longestMs={longestMs} player={player} />
        ),
      )}
    </Stack>
  )
}

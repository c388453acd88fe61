import { Anchor, Badge, Group, List, Paper, Stack, Text } from '@mantine/core'
import type { Conversation, Message, Turn } from './conversation-queries.js'
import classes from './transcript.module.css'
import { durationOf } from './turn-stages.js'
import { TurnWaterfall } from './turn-waterfall.js'

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' })

/** Addresses of other kinds are shown and not linked. */
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url)

const Sources = ({ sources }: { readonly sources: NonNullable<Message['sources']> }) => (
  <List size="xs" aria-label="Sources">
    {sources.map(({ title, url }) => (
      <List.Item key={url}>
        {isWebAddress(url) ? (
          <Anchor href={url} target="_blank" rel="noreferrer" size="xs" underline="always">
            {title}
          </Anchor>
        ) : (
          title
        )}
      </List.Item>
    ))}
  </List>
)

const MessageText = ({ message }: { readonly message: Message }) => (
  <>
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {message.role === 'user' ? 'User' : 'Agent'}
      </Text>
      <Text size="xs" c="dimmed">
        <time dateTime={message.created_at}>{clock.format(new Date(message.created_at))}</time>
      </Text>
      {message.interrupted && (
        <Badge tt="none" size="sm" variant="light" color="orange">
          Interrupted
        </Badge>
      )}
    </Group>
    <Text size="sm" dir="auto" className={classes.text}>
      {message.text}
    </Text>
    {message.sources !== undefined && <Sources sources={message.sources} />}
  </>
)

/** Each message with the turn that answers it: the n-th turn belongs to the n-th message of the user. */
const withTurns = ({ transcript, turns }: Conversation): readonly { message: Message; turn: Turn | undefined }[] => {
  let next = 0
  return transcript.map((message) => ({ message, turn: message.role === 'user' ? turns[next++] : undefined }))
}

/** What was said, with the timings of each turn below the message that it answers. */
export const Transcript = ({ conversation }: { readonly conversation: Conversation }) => {
  const longestMs = Math.max(...conversation.turns.map(durationOf))
  return (
    <Stack gap="sm" component="ol" className={classes.messages} aria-label="Transcript">
      {withTurns(conversation).map(({ message, turn }) => (
        <Paper component="li" key={message.id} withBorder p="sm" data-role={message.role} className={classes.message}>
          <MessageText message={message} />
          {turn !== undefined && <TurnWaterfall turn={turn} longestMs={longestMs} />}
        </Paper>
      ))}
    </Stack>
  )
}

/** The timings of a conversation whose messages are not stored. */
export const TurnList = ({ turns }: { readonly turns: readonly Turn[] }) => {
  const longestMs = Math.max(...turns.map(durationOf))
  return (
    <Stack gap="sm">
      {turns.map((turn, index) => (
        <div key={index}>
          <Text size="sm" fw={600}>
            Turn {index + 1}
          </Text>
          <TurnWaterfall turn={turn} longestMs={longestMs} />
        </div>
      ))}
    </Stack>
  )
}

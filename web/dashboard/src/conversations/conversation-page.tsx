import { Alert, Button, Code, Paper, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CircleAlert, Download, FlaskConical, Headphones, PhoneOff, ThumbsDown, ThumbsUp } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { formatCredit } from '../shared/credit-amount.js'
import { type Fact, FactList } from '../shared/fact-list.js'
import { PageAnchor } from '../shared/links.js'
import { Loaded, Loading } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { formatCount, formatDuration, formatMs } from '../shared/quantities.js'
import { saveFile } from '../shared/save-file.js'
import { Section } from '../shared/section.js'
import { AnalysisSection } from './analysis-section.js'
import {
  type Conversation,
  useConversation,
  useDeleteConversation,
  useEndConversation,
} from './conversation-queries.js'
import { ConversationLength, StatusBadge } from './conversation-state.js'
import { endReasons, isLive } from './conversation-words.js'
import { RecordingPlayer } from './recording/recording-player.js'
import { useRecording } from './recording/recording-queries.js'
import { usePlayer } from './recording/use-player.js'
import { scenarioOf } from './scenario.js'
import { Transcript } from './transcript.js'
import { TurnList } from './turn-waterfall.js'

/** The recording of a conversation, where there is one, and the transcript, which is played by it. */
const RecordedConversation = ({ conversation }: { readonly conversation: Conversation }) => {
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

interface ConversationFactsProps {
  readonly conversation: Conversation
  /** Whether a live conversation is known to continue, so that its clock runs. */
  readonly isCurrent: boolean
}

const latencyOf = ({ latency }: Conversation): string => {
  if (latency === null) return 'Not measured'
  const { p50, p95 } = latency.voice_to_voice_ms
  return `${formatMs(p50)} (95 %: ${formatMs(p95)})`
}

const transports = { webrtc: 'WebRTC', websocket: 'WebSocket', phone: 'Telephone' } as const

const connectionOf = ({ transport, input_mode }: Conversation): string =>
  `${transports[transport]}, ${input_mode === 'automatic' ? 'open microphone' : 'push to talk'}`

/** Conversations with a draft name its revision. */
const versionOf = ({ metadata, publication: { version } }: Conversation): string =>
  metadata.draft === true ? `Draft, revision ${version}` : `Publication ${version}`

const Feedback = ({ feedback }: Pick<Conversation, 'feedback'>) => {
  if (feedback === null) return 'Not given'
  const { score, comment } = feedback
  const Icon = score === 1 ? ThumbsUp : ThumbsDown
  return (
    <>
      <Icon size={14} aria-hidden /> {score === 1 ? 'Good' : 'Bad'}
      {comment !== null && `: ${comment}`}
    </>
  )
}

const factsOf = ({ conversation, isCurrent }: ConversationFactsProps): readonly Fact[] => {
  const { usage } = conversation
  return [
    ['Status', <StatusBadge key="status" status={conversation.status} />],
    ['End', conversation.end_reason === null ? 'In progress' : endReasons[conversation.end_reason]],
    ['Began', <Moment key="began" at={conversation.created_at} />],
    ['Length', <ConversationLength key="length" conversation={conversation} isCurrent={isCurrent} />],
    [
      'Credit',
      <span key="credit" title={conversation.credit_used}>
        {formatCredit(conversation.credit_used)}
      </span>,
    ],
    ['Voice to voice', latencyOf(conversation)],
    ['Tokens', `${formatCount(usage.llm_input_tokens)} in, ${formatCount(usage.llm_output_tokens)} out`],
    ['Characters spoken', formatCount(usage.tts_characters)],
    ['Speech recognized', formatDuration(usage.stt_seconds)],
    ['Feedback', <Feedback key="feedback" feedback={conversation.feedback} />],
    ['Connection', connectionOf(conversation)],
    [
      'Agent',
      <PageAnchor
        key="agent"
        to="/agents/$agentId"
        params={{ agentId: conversation.agent_id }}
        inherit
        underline="always"
      >
        {versionOf(conversation)}
      </PageAnchor>,
    ],
    ['End user', conversation.end_user_id === null ? 'Not given' : <Code key="user">{conversation.end_user_id}</Code>],
  ]
}

/** The record of a conversation without its transcript. */
const ConversationFacts = (props: ConversationFactsProps) => (
  <Paper withBorder p="md">
    <FactList facts={factsOf(props)} />
  </Paper>
)

/** Deletes a conversation after a question, and leads back to the list. */
const DeleteButton = ({ sessionId }: { readonly sessionId: string }) => {
  const remove = useDeleteConversation()
  const navigate = useNavigate()
  return (
    <ConfirmButton
      label="Delete"
      title="Delete the conversation?"
      confirm="Delete it"
      mutation={remove}
      variables={{ params: { path: { sessionId } } }}
      onDone={() => void navigate({ to: '/conversations' })}
    >
      Its record, messages and recording are removed for good. A live conversation is ended first.
    </ConfirmButton>
  )
}

/** Ends a live conversation after a question. */
const EndButton = ({ sessionId }: { readonly sessionId: string }) => {
  const end = useEndConversation(sessionId)
  return (
    <ConfirmButton
      variant="light"
      leftSection={<PhoneOff />}
      label="End"
      title="End the conversation?"
      confirm="End it"
      mutation={end}
      variables={{ params: { path: { sessionId } } }}
    >
      The user is disconnected at once. The record stays, and the audit log says who ended it.
    </ConfirmButton>
  )
}

interface ExportButtonsProps {
  readonly conversation: Conversation
  readonly title: string
}

/**
 * Make the browser save the conversation: with its turns, its calls of tools and its analysis as a JSON file, and as a scenario for
 * a test of the Agent.
 */
const ExportButtons = ({ conversation, title }: ExportButtonsProps) => {
  const { id, transcript } = conversation
  const save = (text: string, type: string, name: string) => saveFile(new Blob([text], { type }), name)
  return (
    <>
      <Button
        variant="default"
        leftSection={<Download />}
        onClick={() =>
          save(`${JSON.stringify(conversation, null, 2)}\n`, 'application/json', `conversation-${id}.json`)
        }
      >
        Export as JSON
      </Button>
      <Button
        variant="default"
        leftSection={<FlaskConical />}
        disabled={transcript.every(({ role }) => role !== 'user')}
        onClick={() => save(scenarioOf(conversation, title), 'application/yaml', `scenario-${id}.yaml`)}
      >
        Export as test
      </Button>
    </>
  )
}

const ListenPanel = lazy(async () => ({ default: (await import('./listening/listen-panel.js')).ListenPanel }))

const Content = ({ conversation, isCurrent }: ConversationFactsProps) => (
  <>
    {conversation.error !== null && (
      <Alert role="alert" color="red" title={conversation.error.code} icon={<CircleAlert />}>
        {conversation.error.detail}
      </Alert>
    )}
    <ConversationFacts conversation={conversation} isCurrent={isCurrent} />
    {conversation.analysis !== null && <AnalysisSection analysis={conversation.analysis} />}
    <RecordedConversation conversation={conversation} />
    {conversation.transcript.length === 0 && conversation.turns.length > 0 && (
      <Section title="Turns">
        <TurnList turns={conversation.turns} />
      </Section>
    )}
    {Object.keys(conversation.metadata).length > 0 && (
      <Section title="Metadata">
        <Code block>{JSON.stringify(conversation.metadata, null, 2)}</Code>
      </Section>
    )}
  </>
)

export const ConversationPage = () => {
  const { sessionId } = useParams({ from: '/signed-in/conversations/$sessionId' })
  const query = useConversation(sessionId)
  const { data: agents } = useAgentNames()
  const { data: conversation } = query
  const { role } = useWorkspace()
  const [listenedId, setListenedId] = useState<string>()
  const isListening = listenedId === sessionId
  const title =
    conversation === undefined ? 'Conversation' : `Conversation with ${agentNameOf(conversation.agent_id, agents)}`
  return (
    <Page
      title={title}
      description={<PageAnchor to="/conversations">All conversations</PageAnchor>}
      actions={
        conversation !== undefined && (
          <>
            {isLive(conversation.status) && isAtLeast(role, 'admin') && (
              <Button
                variant="light"
                leftSection={<Headphones />}
                disabled={isListening}
                onClick={() => setListenedId(sessionId)}
              >
                Listen
              </Button>
            )}
            {isLive(conversation.status) && <EndButton sessionId={sessionId} />}
            <ExportButtons conversation={conversation} title={title} />
            <DeleteButton sessionId={sessionId} />
          </>
        )
      }
    >
      {isListening && (
        <Suspense fallback={<Loading />}>
          <ListenPanel key={sessionId} sessionId={sessionId} onClose={() => setListenedId(undefined)} />
        </Suspense>
      )}
      <Loaded query={query}>{(loaded) => <Content conversation={loaded} isCurrent={query.isCurrent} />}</Loaded>
    </Page>
  )
}

import { Code, Paper } from '@mantine/core'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { formatCredit } from '../shared/credit-amount.js'
import { type Fact, FactList } from '../shared/fact-list.js'
import { PageAnchor } from '../shared/links.js'
import { Moment } from '../shared/moment.js'
import { formatCount, formatDuration, formatMs } from '../shared/quantities.js'
import type { Conversation } from './conversation-queries.js'
import { ConversationLength, StatusBadge } from './conversation-state.js'
import { endReasons } from './conversation-words.js'

export interface ConversationFactsProps {
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
export const ConversationFacts = (props: ConversationFactsProps) => (
  <Paper withBorder p="md">
    <FactList facts={factsOf(props)} />
  </Paper>
)

import { Text } from '@mantine/core'
import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { formatCredit } from '../shared/credit-amount.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { PageAnchor } from '../shared/links.js'
import { Moment } from '../shared/moment.js'
import { formatMs } from '../shared/quantities.js'
import type { ConversationSummary } from './conversation-queries.js'
import { ConversationLength, StatusBadge } from './conversation-state.js'
import { endReasons } from './conversation-words.js'

const columns: readonly Column<ConversationSummary>[] = [
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Began', cell: ({ created_at }) => <Moment at={created_at} /> },
  { header: 'Length', cell: (conversation) => <ConversationLength conversation={conversation} /> },
  {
    header: 'Voice to voice',
    cell: ({ latency }) => (latency === null ? '–' : formatMs(latency.voice_to_voice_ms.p50)),
    wideOnly: true,
  },
  {
    header: 'Credit',
    cell: ({ credit_used }) => <span title={credit_used}>{formatCredit(credit_used)}</span>,
    wideOnly: true,
  },
]

/** Conversations, each with a link to its page. */
export const ConversationTable = ({ conversations }: { readonly conversations: readonly ConversationSummary[] }) => {
  const { data: agents } = useAgentNames()
  const conversation: Column<ConversationSummary> = {
    header: 'Agent',
    cell: ({ id, agent_id, end_reason }) => (
      <>
        <PageAnchor to="/conversations/$sessionId" params={{ sessionId: id }} fw={550} dir="auto">
          {agentNameOf(agent_id, agents)}
        </PageAnchor>
        <Text size="xs" c="dimmed">
          {end_reason === null ? 'In progress' : endReasons[end_reason]}
        </Text>
      </>
    ),
  }
  return (
    <DataTable
      label="Conversations"
      rows={conversations}
      rowKey={({ id }) => id}
      columns={[conversation, ...columns]}
      isWhole
      opensRow
    />
  )
}

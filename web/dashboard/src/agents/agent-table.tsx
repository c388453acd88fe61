import { Code, Text } from '@mantine/core'
import { type Column, DataTable } from '../shared/data-table.js'
import { PageAnchor } from '../shared/links.js'
import { Moment } from '../shared/moment.js'
import type { Agent } from './agent.js'
import { AgentStateBadge } from './agent-state-badge.js'

const columns: readonly Column<Agent>[] = [
  {
    header: 'Name',
    cell: ({ id, display_name, description }) => (
      <>
        <PageAnchor to="/agents/$agentId" params={{ agentId: id }} size="sm" fw={550} dir="auto">
          {display_name}
        </PageAnchor>
        <Text size="xs" c="dimmed" lineClamp={1} dir="auto" ta="left">
          {description}
        </Text>
      </>
    ),
  },
  {
    header: 'Slug',
    // Leaves room for the name, however long both are.
    cell: ({ slug }) => <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{slug}</Code>,
    wideOnly: true,
  },
  { header: 'State', cell: (agent) => <AgentStateBadge agent={agent} /> },
  {
    header: 'API',
    cell: ({ api_ready }) => (
      <>
        <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
          {api_ready ? 'API-ready' : 'Not API-ready'}
        </Text>
        {!api_ready && (
          <Text size="xs" c="dimmed">
            Publish with a voice variant
          </Text>
        )}
      </>
    ),
  },
  { header: 'Updated', cell: ({ updated_at }) => <Moment at={updated_at} />, wideOnly: true },
]

/** One page of Agents. */
export const AgentTable = ({ agents }: { readonly agents: readonly Agent[] }) => (
  <DataTable label="Agents" rows={agents} rowKey={({ id }) => id} columns={columns} isWhole />
)

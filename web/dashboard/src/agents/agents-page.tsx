import { Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { type Column, DataTable } from '../shared/data-table.js'
import { Empty } from '../shared/empty.js'
import { SearchInput } from '../shared/filter-fields.js'
import { PageAnchor, PageButton } from '../shared/links.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import type { Agent } from './agent.js'
import { type AgentFilter, agentFilterOf, maxLetters } from './agent-filter.js'
import { useAgentList } from './agent-queries.js'
import { AgentStateBadge } from './agent-state-badge.js'
import { TemplateGrid } from './new-agent-page.js'

const typingPauseMs = 250

const states = [
  { value: 'all', label: 'All' },
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Drafts' },
]

interface AgentFiltersProps {
  readonly filter: AgentFilter
  onChange(filter: AgentFilter): void
}

/** The search and the state by which the list of Agents is filtered. */
const AgentFilters = ({ filter, onChange }: AgentFiltersProps) => {
  const [text, setText] = useState(filter.q ?? '')
  const change = (wanted: { q: string; state: string }) => onChange(agentFilterOf(wanted))
  const search = useDebouncedCallback((q: string) => change({ q, state: filter.state ?? 'all' }), typingPauseMs)
  return (
    <Group gap="sm">
      <SearchInput
        label="Search for Agents"
        placeholder="Name, slug or description"
        maxLength={maxLetters}
        value={text}
        onChange={(typed) => {
          setText(typed)
          search(typed.trim())
        }}
        flex="1 1 14rem"
      />
      <SegmentedControl
        aria-label="State"
        data={states}
        value={filter.state ?? 'all'}
        onChange={(state) => change({ q: text.trim(), state })}
      />
    </Group>
  )
}

const columns: readonly Column<Agent>[] = [
  {
    header: 'Name',
    cell: ({ id, display_name, description }) => (
      <>
        <PageAnchor to="/agents/$agentId" params={{ agentId: id }} fw={550} dir="auto">
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
        <Text span style={{ whiteSpace: 'nowrap' }}>
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

export const AgentsPage = () => {
  const filter: AgentFilter = useSearch({ from: '/signed-in/agents' })
  const navigate = useNavigate()
  return (
    <Page
      title="Agents"
      description="An Agent is a voice with a task. You edit its draft; users talk with what is published."
      actions={
        <PageButton to="/agents/new" leftSection={<Plus />}>
          New Agent
        </PageButton>
      }
    >
      <AgentFilters filter={filter} onChange={(search) => navigate({ to: '/agents', search, replace: true })} />
      <PagedList
        list={useAgentList(filter)}
        empty={Object.keys(filter).length > 0 ? <NothingFound /> : <NoAgents />}
        more="Show older Agents"
      >
        {(agents) => <DataTable label="Agents" rows={agents} rowKey={({ id }) => id} columns={columns} isWhole />}
      </PagedList>
    </Page>
  )
}

const NothingFound = () => (
  <Empty icon={SearchX} title="No Agent matches">
    Search for a part of its name, slug or description, or show all states.
  </Empty>
)

const NoAgents = () => (
  <Stack>
    <Empty icon={Bot} title="No Agent yet">
      Choose a template. The guide can talk at once; the others need a language model to follow their prompts.
    </Empty>
    <TemplateGrid />
  </Stack>
)

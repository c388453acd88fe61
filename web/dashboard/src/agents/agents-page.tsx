import { Button, Code, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, Plus, Search, SearchX } from 'lucide-react'
import { useState } from 'react'
import { type Column, DataTable } from '../shared/data-table.js'
import { Empty } from '../shared/empty.js'
import { PageAnchor, PageButton } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
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
      <TextInput
        type="search"
        aria-label="Search for Agents"
        placeholder="Name, slug or description"
        leftSection={<Search />}
        maxLength={maxLetters}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          search(value.trim())
        }}
        flex="1 1 14rem"
        maw={360}
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
const AgentTable = ({ agents }: { readonly agents: readonly Agent[] }) => (
  <DataTable label="Agents" rows={agents} rowKey={({ id }) => id} columns={columns} isWhole />
)

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
      <FoundAgents filter={filter} />
    </Page>
  )
}

/** The page of the list that is shown. A new filter begins at the first page. */
const useShownPage = (filter: AgentFilter) => {
  const list = JSON.stringify(filter)
  const [shown, setShown] = useState({ list, page: 0 })
  return { page: shown.list === list ? shown.page : 0, show: (page: number) => setShown({ list, page }) }
}

/** The pages of the list, one at a time. */
const FoundAgents = ({ filter }: { readonly filter: AgentFilter }) => {
  const list = useAgentList(filter)
  const { page, show } = useShownPage(filter)
  const isFiltered = filter.q !== undefined || filter.state !== undefined
  const showNext = async () => {
    const { isError } = list.data?.pages[page + 1] === undefined ? await list.fetchNextPage() : { isError: false }
    if (!isError) show(page + 1)
  }
  return (
    <Loaded query={list}>
      {({ pages }) => {
        const agents = (pages[page]?.agents ?? []) as Agent[]
        if (agents.length === 0 && page === 0) return isFiltered ? <NothingFound /> : <NoAgents />
        const isLast = page + 1 >= pages.length && !list.hasNextPage
        return (
          <Stack aria-busy={list.isPlaceholderData}>
            <AgentTable agents={agents} />
            {list.isFetchNextPageError && <ProblemAlert error={list.error} />}
            {(page > 0 || !isLast) && (
              <Group justify="center">
                <Button variant="default" disabled={page === 0} onClick={() => show(page - 1)}>
                  Previous page
                </Button>
                <Text size="sm" role="status">
                  Page {page + 1}
                </Text>
                <Button variant="default" disabled={isLast} loading={list.isFetchingNextPage} onClick={showNext}>
                  Next page
                </Button>
              </Group>
            )}
          </Stack>
        )
      }}
    </Loaded>
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

import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Empty } from '../shared/empty.js'
import { PageButton } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import type { Agent } from './agent.js'
import type { AgentFilter } from './agent-filter.js'
import { AgentFilters } from './agent-filters.js'
import { useAgentList } from './agent-queries.js'
import { AgentTable } from './agent-table.js'
import { TemplateGrid } from './template-grid.js'

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

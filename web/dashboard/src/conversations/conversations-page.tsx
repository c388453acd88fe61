import { Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { MessagesSquare, Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { fetchApi } from '../api/api.js'
import { isNotFound, problemOf } from '../api/problem.js'
import { formatCredit } from '../shared/credit-amount.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { Empty } from '../shared/empty.js'
import { FilterSelect } from '../shared/filter-fields.js'
import { PageAnchor } from '../shared/links.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import { formatMs } from '../shared/quantities.js'
import { type ConversationFilter, conversationFilterOf, isFiltered, maxSaid } from './conversation-filter.js'
import { type ConversationSummary, useConversations } from './conversation-queries.js'
import { ConversationLength, StatusBadge } from './conversation-state.js'
import { endReasons, statuses } from './conversation-words.js'

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
const ConversationTable = ({ conversations }: { readonly conversations: readonly ConversationSummary[] }) => {
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

const statusOptions = Object.entries(statuses).map(([value, { label }]) => ({ value, label }))

const reasonOptions = Object.entries(endReasons).map(([value, label]) => ({ value, label }))

/** Options beyond these are found by typing. */
const maxOptions = 50

interface FilterFieldsProps {
  readonly filter: ConversationFilter
  onChange(filter: ConversationFilter): void
}

/** The fields that choose conversations. An empty field chooses all. */
const FilterFields = ({ filter, onChange }: FilterFieldsProps) => {
  const { data: agents = [] } = useAgentNames()
  const change = (name: keyof ConversationFilter) => (value: string | null) =>
    onChange(conversationFilterOf({ ...filter, [name]: value }))
  return (
    <Stack gap="sm">
      <SearchField
        filter={filter}
        onChange={(searched) => onChange(conversationFilterOf({ ...filter, end_user: null, said: null, ...searched }))}
      />
      <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }} spacing="sm">
        <FilterSelect
          label="Agent"
          all="All Agents"
          data={agents.map(({ id, name }) => ({ value: id, label: name }))}
          limit={maxOptions}
          value={filter.agent}
          onChange={change('agent')}
          nothingFoundMessage="No Agent has this name"
          searchable
        />
        <FilterSelect
          label="Status"
          all="Any status"
          data={statusOptions}
          value={filter.status}
          onChange={change('status')}
        />
        <FilterSelect
          label="End reason"
          all="Any end reason"
          data={reasonOptions}
          value={filter.reason}
          onChange={change('reason')}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        />
        <TextInput
          type="date"
          label="From"
          value={filter.from ?? ''}
          max={filter.to}
          onChange={({ currentTarget }) => change('from')(currentTarget.value)}
        />
        <TextInput
          type="date"
          label="To"
          value={filter.to ?? ''}
          min={filter.from}
          onChange={({ currentTarget }) => change('to')(currentTarget.value)}
        />
      </SimpleGrid>
    </Stack>
  )
}

/** Whether there is a conversation with this id. */
const hasConversation = async (sessionId: string): Promise<boolean> => {
  try {
    await fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}', { params: { path: { sessionId } } })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

type Searched = Pick<ConversationFilter, 'end_user' | 'said'>

const textOf = ({ end_user, said }: Searched): string => end_user ?? said ?? ''

interface SearchFieldProps {
  readonly filter: Searched
  /** Called with what is searched for: nothing when the field is emptied. */
  onChange(searched: Searched): void
}

/**
 * Opens the conversation whose id is typed, or chooses those of the end user who has it. Other texts choose the conversations in
 * which they were said.
 */
const SearchField = ({ filter, onChange }: SearchFieldProps) => {
  const wanted = textOf(filter)
  const [shown, setShown] = useState(wanted)
  const [text, setText] = useState(wanted)
  // The address of the page has changed. The field keeps the focus.
  if (wanted !== shown) {
    setShown(wanted)
    setText(wanted)
  }
  const navigate = useNavigate()
  const find = useMutation({
    mutationFn: hasConversation,
    onSuccess: (isFound, id) =>
      isFound ? navigate({ to: '/conversations/$sessionId', params: { sessionId: id } }) : onChange({ end_user: id }),
  })
  const change = (typed: string) => {
    setText(typed)
    find.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const said = text.trim()
    const id = said.toLowerCase()
    if (z.guid().safeParse(id).success) find.mutate(id)
    else onChange(said === '' ? {} : { said })
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          label="Search"
          placeholder="Words that were said, or the id of a conversation or an end user"
          maxLength={maxSaid}
          leftSection={<Search />}
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          error={find.error !== null && problemOf(find.error).detail}
        />
      </form>
    </search>
  )
}

/** Advice for an empty list. */
const hintOf = (filter: ConversationFilter): string | undefined => {
  if (!isFiltered(filter)) return 'A conversation is listed here as soon as a user starts it.'
  return filter.said === undefined
    ? undefined
    : 'The search looks for exactly these words in stored transcripts. An id must be whole.'
}

export const ConversationsPage = () => {
  const filter = useSearch({ from: '/signed-in/conversations' })
  const navigate = useNavigate({ from: '/conversations' })
  return (
    <Page title="Conversations" description="What Agents and users said, how quickly, and what it cost.">
      <FilterFields filter={filter} onChange={(search) => navigate({ search, replace: true })} />
      <PagedList
        list={useConversations(filter)}
        empty={
          <Empty
            icon={MessagesSquare}
            title={isFiltered(filter) ? 'No conversation matches' : 'No conversation yet'}
            action={
              isFiltered(filter) && (
                <Button variant="default" onClick={() => navigate({ search: {}, replace: true })}>
                  Show all
                </Button>
              )
            }
          >
            {hintOf(filter)}
          </Empty>
        }
        more="Show older conversations"
      >
        {(conversations) => <ConversationTable conversations={conversations} />}
      </PagedList>
    </Page>
  )
}

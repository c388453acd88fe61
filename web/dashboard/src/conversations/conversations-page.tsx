import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import { type ConversationFilter, isFiltered } from './conversation-filter.js'
import { useConversations } from './conversation-queries.js'
import { ConversationTable } from './conversation-table.js'
import { FilterFields } from './filter-fields.js'

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

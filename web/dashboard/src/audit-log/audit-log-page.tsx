import { Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { fetchApi } from '../api/api.js'
import type { components } from '../api/schema.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { MoreButton } from '../shared/more-button.js'
import { Page } from '../shared/page.js'
import { actionNames } from './action-names.js'

type Entry = components['schemas']['AuditEntry']

const actorOf = ({ actor }: Entry): string => (actor.kind === 'operator' ? 'The operator' : (actor.name ?? 'Unknown'))

/** Such as "label: Web site". Ids are left out: the names beside them say more. */
const detailsOf = ({ details }: Entry): string =>
  Object.entries(details)
    .filter(([name, value]) => value !== null && !/(^|_)id$/.test(name))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
    .join(', ')

const columns: readonly Column<Entry>[] = [
  {
    header: 'What',
    cell: (entry) => (
      <>
        <Text size="sm" fw={550}>
          {actionNames[entry.action]}
        </Text>
        <Text size="xs" c="dimmed">
          {detailsOf(entry)}
        </Text>
      </>
    ),
  },
  { header: 'Who', cell: actorOf },
  { header: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** Services send their entries a moment after the act. */
const refreshMs = 5000

/** Newest first. The next page has the older entries. A person who reads older entries keeps them where they are. */
const useAuditLog = () =>
  useInfiniteQuery({
    queryKey: ['audit-log'],
    queryFn: async ({ pageParam }) => {
      const query = { limit: 50, ...(pageParam !== null && { cursor: pageParam }) }
      const { data } = await fetchApi.GET('/dashboard/api/audit-log', { params: { query } })
      return data!
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 0) <= 1 && refreshMs,
  })

export const AuditLogPage = () => {
  const log = useAuditLog()
  return (
    <Page title="Audit log" description="Who did what in this workspace. Entries are never changed or removed.">
      <Loaded query={log}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          return entries.length === 0 ? (
            <Empty icon={ScrollText} title="Nothing yet" />
          ) : (
            <Stack>
              <DataTable label="Audit log" rows={entries} rowKey={({ id }) => id} columns={columns} isWhole />
              <MoreButton list={log} label="Show older entries" />
            </Stack>
          )
        }}
      </Loaded>
    </Page>
  )
}

import { Button, SimpleGrid } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import * as z from 'zod/mini'
import { useList } from '../api/lists.js'
import type { components } from '../api/schema.js'
import { useKeys } from '../keys/key-queries.js'
import { useMembers } from '../members/member-queries.js'
import { type Column, DataTable, RowTitle } from '../shared/data-table.js'
import { Empty } from '../shared/empty.js'
import { FilterSelect } from '../shared/filter-fields.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import { keyOf, searchOf } from '../shared/search.js'

type Action = components['schemas']['AuditEntry']['action']

/** The actions, in words. */
const actionNames: Readonly<Record<Action, string>> = {
  'person.signed_in': 'Signed in',
  'member.invited': 'Invited a person',
  'member.invitation_canceled': 'Withdrew an invitation',
  'member.added': 'Added a member',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'api_key.created': 'Created an API key',
  'api_key.revoked': 'Revoked an API key',
  'agent.published': 'Published an Agent',
  'agent.rolled_back': 'Rolled an Agent back',
  'agent.deleted': 'Deleted an Agent',
  'credit.granted': 'Granted credit',
  'workspace.renamed': 'Renamed the workspace',
  'workspace.limits_changed': 'Changed the limits of the workspace',
  'workspace.capabilities_changed': 'Changed what the workspace may use',
  'model_provider.created': 'Added a model provider',
  'model_provider.deleted': 'Deleted a model provider',
  'phone_number.created': 'Added a telephone number',
  'phone_number.deleted': 'Deleted a telephone number',
  'workspace.suspended': 'Suspended the workspace',
  'workspace.resumed': 'Resumed the workspace',
  'webhook.created': 'Created a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.secret_rotated': 'Made a new secret for a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.disabled': 'Disabled a webhook that kept failing',
  'conversation.ended': 'Ended a live conversation',
  'conversation.listened': 'Listened to a live conversation',
  'recording_settings.changed': 'Changed how an Agent is recorded',
  'recording.deleted': 'Deleted recordings',
}

/** The filter of the log, which is in the URL of the page. */
const auditFilterOf = searchOf({
  action: keyOf(actionNames),
  /** The id of a person or an API key, or `operator`. */
  actor: z.union([z.literal('operator'), z.guid()]),
})

type AuditFilter = ReturnType<typeof auditFilterOf>

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
    cell: (entry) => <RowTitle detail={detailsOf(entry)}>{actionNames[entry.action]}</RowTitle>,
  },
  { header: 'Who', cell: actorOf },
  { header: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** Services send their entries a moment after the action. */
const refreshMs = 5000

const actionOptions = Object.entries(actionNames)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label))

interface FilterFieldsProps {
  readonly filter: AuditFilter
  /** The entries that are shown. Their actors can be chosen too, since a person may have left the workspace. */
  readonly entries: readonly Entry[]
  onChange(filter: AuditFilter): void
}

/** The fields that choose entries. An empty field chooses all. */
const FilterFields = ({ filter, entries, onChange }: FilterFieldsProps) => {
  const { data: members } = useMembers()
  const { data: keys } = useKeys()
  const names = new Map([
    ...entries.flatMap(({ actor: { id, name } }) => (id === null ? [] : [[id, name ?? 'Unknown'] as const])),
    ...(keys ?? []).map(({ id, label }) => [id, `${label} (API key)`] as const),
    ...(members?.members ?? []).map(({ userId, user }) => [userId, user.name] as const),
    ['operator', 'The operator'] as const,
  ])
  return (
    <SimpleGrid cols={{ base: 2, md: 3 }} spacing="sm">
      <FilterSelect
        label="Action"
        all="All actions"
        data={actionOptions}
        value={filter.action}
        onChange={(action) => onChange(auditFilterOf({ ...filter, action }))}
        nothingFoundMessage="No action has this name"
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        searchable
      />
      <FilterSelect
        label="Who"
        all="Everybody"
        data={[...names].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label))}
        value={filter.actor}
        onChange={(actor) => onChange(auditFilterOf({ ...filter, actor }))}
        nothingFoundMessage="Nobody has this name"
        searchable
      />
    </SimpleGrid>
  )
}

export const AuditLogPage = () => {
  const filter = useSearch({ from: '/signed-in/audit-log', select: auditFilterOf })
  const navigate = useNavigate({ from: '/audit-log' })
  const log = useList('/dashboard/api/audit-log', { query: filter }, ({ entries }) => entries, {
    refreshMs: () => refreshMs,
  })
  const change = (search: AuditFilter) => navigate({ search, replace: true })
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Page title="Audit log" description="Who did what in this workspace. Entries are never changed or removed.">
      <FilterFields filter={filter} entries={log.data ?? []} onChange={change} />
      <PagedList
        list={log}
        empty={
          <Empty
            icon={ScrollText}
            title={isFiltered ? 'No entry matches' : 'Nothing yet'}
            action={
              isFiltered && (
                <Button variant="default" onClick={() => change({})}>
                  Show all
                </Button>
              )
            }
          />
        }
        more="Show older entries"
      >
        {(shown) => <DataTable label="Audit log" rows={shown} rowKey={({ id }) => id} columns={columns} isWhole />}
      </PagedList>
    </Page>
  )
}

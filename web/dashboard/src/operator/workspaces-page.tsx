import { ActionIcon, Badge, Code, Menu, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Blocks, Building2, CirclePause, CirclePlay, Coins, Ellipsis, Gauge } from 'lucide-react'
import { useState } from 'react'
import { namesOfCapabilities } from '../shared/capability-names.js'
import { formatCredit } from '../shared/credit-amount.js'
import { type Column, DataTable, RowTitle } from '../shared/data-table.js'
import { Empty } from '../shared/empty.js'
import { SearchInput } from '../shared/filter-fields.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import { formatCount } from '../shared/quantities.js'
import { CapabilitiesDialog, GrantDialog, LimitsDialog, SuspendDialog } from './workspace-dialogs.js'
import { type OperatedWorkspace, useWorkspaces } from './workspace-queries.js'

const dialogs = {
  grant: GrantDialog,
  limits: LimitsDialog,
  capabilities: CapabilitiesDialog,
  suspend: SuspendDialog,
} as const

/** What an operator does with a workspace. */
const WorkspaceMenu = ({ workspace }: { readonly workspace: OperatedWorkspace }) => {
  const [opened, setOpened] = useState<keyof typeof dialogs>()
  const Dialog = opened && dialogs[opened]
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={32} aria-label={`Change ${workspace.name}`}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Coins />} onClick={() => setOpened('grant')}>
            Grant credit
          </Menu.Item>
          <Menu.Item leftSection={<Gauge />} onClick={() => setOpened('limits')}>
            Change the limits
          </Menu.Item>
          <Menu.Item leftSection={<Blocks />} onClick={() => setOpened('capabilities')}>
            Change the capabilities
          </Menu.Item>
          <Menu.Item
            leftSection={workspace.suspended ? <CirclePlay /> : <CirclePause />}
            onClick={() => setOpened('suspend')}
          >
            {workspace.suspended ? 'Resume' : 'Suspend'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {Dialog && <Dialog workspace={workspace} onClose={() => setOpened(undefined)} />}
    </>
  )
}

const limitOf = (limit: number): string => (limit === 0 ? 'no limit' : formatCount(limit))

const columns: readonly Column<OperatedWorkspace>[] = [
  {
    header: 'Workspace',
    cell: ({ id, name }) => (
      <>
        <RowTitle>
          <bdi>{name}</bdi>
        </RowTitle>
        <Code visibleFrom="sm">{id}</Code>
      </>
    ),
  },
  {
    header: 'State',
    cell: ({ suspended }) => <Badge color={suspended ? 'red' : 'teal'}>{suspended ? 'Suspended' : 'Active'}</Badge>,
  },
  {
    header: 'Credit',
    cell: ({ balance, reserved }) => (
      <>
        <Text title={balance}>{formatCredit(balance)}</Text>
        <Text size="xs" c="dimmed" title={reserved}>
          {formatCredit(reserved)} reserved
        </Text>
      </>
    ),
  },
  {
    header: 'Limits',
    cell: ({ max_concurrent_sessions, max_concurrent_streams }) => (
      <Text size="xs" style={{ whiteSpace: 'nowrap' }}>
        Conversations: {limitOf(max_concurrent_sessions)}
        <br />
        Streams: {limitOf(max_concurrent_streams)}
      </Text>
    ),
    wideOnly: true,
  },
  {
    header: 'Capabilities',
    cell: ({ capabilities }) => <Text size="xs">{namesOfCapabilities(capabilities)}</Text>,
    wideOnly: true,
  },
  { header: 'Created', cell: ({ created_at }) => <Moment at={created_at} />, wideOnly: true },
]

/** The workspaces of the installation, and what an operator does with each. */
const WorkspaceTable = ({ workspaces }: { readonly workspaces: readonly OperatedWorkspace[] }) => (
  <DataTable
    label="Workspaces"
    rows={workspaces}
    rowKey={({ id }) => id}
    columns={columns}
    actions={(workspace) => <WorkspaceMenu workspace={workspace} />}
    isWhole
  />
)

const typingPauseMs = 250

export const WorkspacesPage = () => {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), typingPauseMs)
  return (
    <Page
      title="Workspaces"
      description="All workspaces of this installation. Their audit logs record what you change."
    >
      <SearchInput
        label="Search for workspaces"
        placeholder="Name or id"
        maxLength={200}
        value={text}
        onChange={setText}
      />
      <PagedList
        list={useWorkspaces(search)}
        empty={
          <Empty icon={Building2} title={search === '' ? 'No workspace yet' : 'No workspace matches'}>
            {search === '' ? 'Make one: npx parlance workspace create.' : 'Search for a part of the name, or the id.'}
          </Empty>
        }
        more="Show more"
      >
        {(workspaces) => <WorkspaceTable workspaces={workspaces} />}
      </PagedList>
    </Page>
  )
}

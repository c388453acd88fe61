import { Badge, Code, Text } from '@mantine/core'
import { namesOfCapabilities } from '../shared/capability-names.js'
import { formatCredit } from '../shared/credit-amount.js'
import { type Column, DataTable, RowTitle } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { formatCount } from '../shared/quantities.js'
import { WorkspaceMenu } from './workspace-menu.js'
import type { OperatedWorkspace } from './workspace-queries.js'

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
export const WorkspaceTable = ({ workspaces }: { readonly workspaces: readonly OperatedWorkspace[] }) => (
  <DataTable
    label="Workspaces"
    rows={workspaces}
    rowKey={({ id }) => id}
    columns={columns}
    actions={(workspace) => <WorkspaceMenu workspace={workspace} />}
    isWhole
  />
)

import { Badge, Code } from '@mantine/core'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { type ApiKey, useRevokeKey } from './key-queries.js'

const columns: readonly Column<ApiKey>[] = [
  {
    header: 'Label',
    cell: ({ label, prefix }) => (
      <>
        <RowTitle>{label}</RowTitle>
        <Code hiddenFrom="sm">{prefix}…</Code>
      </>
    ),
  },
  { header: 'Key', cell: ({ prefix }) => <Code>{prefix}…</Code>, wideOnly: true },
  {
    header: 'Status',
    cell: ({ status }) => (
      <Badge color={status === 'active' ? 'teal' : 'gray'}>{status === 'active' ? 'Active' : 'Revoked'}</Badge>
    ),
  },
  {
    header: 'Last used',
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Moment at={last_used_at} />),
    wideOnly: true,
  },
  { header: 'Created', cell: ({ created_at }) => <Moment at={created_at} />, wideOnly: true },
]

/** The keys of the workspace, and the way to revoke one. */
export const KeyTable = ({ keys }: { readonly keys: readonly ApiKey[] }) => {
  const revoke = useRevokeKey()
  return (
    <DataTable
      label="API keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={columns}
      isWhole
      actions={({ id, label, status }) =>
        status === 'active' && (
          <ConfirmButton
            {...rowButton}
            label="Revoke"
            name={`Revoke ${label}`}
            title={`Revoke “${label}”?`}
            confirm="Revoke the key"
            mutation={revoke}
            variables={{ params: { path: { keyId: id } } }}
          >
            Requests with this key are refused at once, and conversations and streams that it started end. A revoked key
            cannot be restored.
          </ConfirmButton>
        )
      }
    />
  )
}

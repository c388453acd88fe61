import { Badge, Button, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { type ApiKey, useRevokeKey } from './key-queries.js'

const columns: readonly Column<ApiKey>[] = [
  {
    header: 'Label',
    cell: ({ label, prefix }) => (
      <>
        <Text size="sm" fw={550}>
          {label}
        </Text>
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
  const [chosen, setChosen] = useState<ApiKey>()
  const revoke = useRevokeKey()
  const close = () => {
    setChosen(undefined)
    revoke.reset()
  }
  return (
    <>
      <DataTable
        label="API keys"
        rows={keys}
        rowKey={({ id }) => id}
        columns={columns}
        isWhole
        actions={(key) =>
          key.status === 'active' && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={`Revoke ${key.label}`}
              onClick={() => setChosen(key)}
            >
              Revoke
            </Button>
          )
        }
      />
      <ConfirmDialog
        opened={chosen !== undefined}
        title={`Revoke “${chosen?.label ?? ''}”?`}
        label="Revoke the key"
        mutation={revoke}
        onClose={close}
        onConfirm={() =>
          chosen !== undefined && revoke.mutate({ params: { path: { keyId: chosen.id } } }, { onSuccess: close })
        }
      >
        Requests with this key are refused at once, and conversations and streams that it started end. A revoked key
        cannot be restored.
      </ConfirmDialog>
    </>
  )
}

import { Badge, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { type InstalledModel, useRemoveModel } from './model-queries.js'
import { kindNames, languagesOf, sizeOf } from './model-words.js'

const columns: readonly Column<InstalledModel>[] = [
  {
    header: 'Model',
    cell: ({ name, display_name, problems }) => (
      <>
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {display_name ?? name}
        </Text>
        {problems.map((problem) => (
          <Text key={problem} size="xs" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
            {problem}
          </Text>
        ))}
      </>
    ),
  },
  {
    header: 'Kind',
    cell: ({ kind }) => (
      <Badge color={kind === null ? 'red' : 'indigo'}>{kind === null ? 'Cannot be used' : kindNames[kind]}</Badge>
    ),
  },
  { header: 'Languages', cell: ({ kind, languages }) => (kind === null ? '' : languagesOf(languages)), wideOnly: true },
  { header: 'Size', cell: ({ size_bytes }) => sizeOf(size_bytes), wideOnly: true },
  { header: 'License', cell: ({ license }) => license ?? 'Unknown', wideOnly: true },
]

/** What is installed, and the way to remove it. */
export const InstalledModels = ({ models }: { readonly models: readonly InstalledModel[] }) => {
  const [chosen, setChosen] = useState<string>()
  const remove = useRemoveModel()
  const close = () => {
    setChosen(undefined)
    remove.reset()
  }
  return (
    <>
      <DataTable
        label="Installed models"
        rows={models}
        rowKey={({ name }) => name}
        columns={columns}
        actions={({ name }) => (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={`Remove ${name}`}
            onClick={() => setChosen(name)}
          >
            Remove
          </Button>
        )}
      />
      <ConfirmDialog
        opened={chosen !== undefined}
        title={`Remove ${chosen ?? ''}?`}
        label="Remove it"
        mutation={remove}
        onClose={close}
        onConfirm={() =>
          chosen !== undefined && remove.mutate({ params: { path: { name: chosen } } }, { onSuccess: close })
        }
      >
        Its files are deleted. Agents that use its voices cannot speak until they have another one.
      </ConfirmDialog>
    </>
  )
}

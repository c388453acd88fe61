import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { kindNames } from './kind-names.js'
import { type ModelProvider, useDeleteProvider } from './provider-queries.js'
import { TestProviderDialog } from './test-provider-dialog.js'

const columns: readonly Column<ModelProvider>[] = [
  {
    header: 'Name',
    cell: ({ name, url }) => (
      <>
        <Text size="sm" fw={550}>
          <bdi>{name}</bdi>
        </Text>
        {url !== null && (
          <Text size="xs" c="dimmed">
            {url}
          </Text>
        )}
      </>
    ),
  },
  { header: 'Kind', cell: ({ kind }) => kindNames[kind] },
  { header: 'Key', cell: ({ has_key }) => (has_key ? 'Stored' : 'None'), wideOnly: true },
  { header: 'Added', cell: ({ created_at }) => <Moment at={created_at} />, wideOnly: true },
]

/** The providers of the workspace, with the ways to test one and to delete it. */
export const ProviderTable = ({ providers }: { readonly providers: readonly ModelProvider[] }) => {
  const [tested, setTested] = useState<ModelProvider>()
  const [leaving, setLeaving] = useState<ModelProvider>()
  const remove = useDeleteProvider()
  const close = () => {
    setLeaving(undefined)
    remove.reset()
  }
  return (
    <>
      <DataTable
        label="Model providers"
        rows={providers}
        rowKey={({ id }) => id}
        columns={columns}
        actions={(provider) => (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`Test ${provider.name}`}
              onClick={() => setTested(provider)}
            >
              Test
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={`Delete ${provider.name}`}
              onClick={() => setLeaving(provider)}
            >
              Delete
            </Button>
          </Group>
        )}
      />
      <TestProviderDialog provider={tested} onClose={() => setTested(undefined)} />
      <ConfirmDialog
        opened={leaving !== undefined}
        title={`Delete “${leaving?.name ?? ''}”?`}
        label="Delete the provider"
        mutation={remove}
        onClose={close}
        onConfirm={() =>
          leaving !== undefined && remove.mutate({ params: { path: { providerId: leaving.id } } }, { onSuccess: close })
        }
      >
        Agents that use it can no longer start conversations. Its key is deleted too.
      </ConfirmDialog>
    </>
  )
}

import { ConfirmButton } from '../shared/confirm-dialog.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { DialogButton } from '../shared/dialog.js'
import { Moment } from '../shared/moment.js'
import { kindNames } from './kind-names.js'
import { type ModelProvider, useDeleteProvider } from './provider-queries.js'
import { TestDialog } from './test-dialog.js'

const columns: readonly Column<ModelProvider>[] = [
  {
    header: 'Name',
    cell: ({ name, url }) => (
      <RowTitle detail={url}>
        <bdi>{name}</bdi>
      </RowTitle>
    ),
  },
  { header: 'Kind', cell: ({ kind }) => kindNames[kind] },
  { header: 'Key', cell: ({ has_key }) => (has_key ? 'Stored' : 'None'), wideOnly: true },
  { header: 'Added', cell: ({ created_at }) => <Moment at={created_at} />, wideOnly: true },
]

/** The providers of the workspace, with the ways to test one and to delete it. */
export const ProviderTable = ({ providers }: { readonly providers: readonly ModelProvider[] }) => {
  const remove = useDeleteProvider()
  return (
    <DataTable
      label="Model providers"
      rows={providers}
      rowKey={({ id }) => id}
      columns={columns}
      actions={(provider) => (
        <>
          <DialogButton {...rowButton} label="Test" name={`Test ${provider.name}`}>
            {(close) => <TestDialog provider={provider} onClose={close} />}
          </DialogButton>
          <ConfirmButton
            {...rowButton}
            label="Delete"
            name={`Delete ${provider.name}`}
            title={`Delete “${provider.name}”?`}
            confirm="Delete the provider"
            mutation={remove}
            variables={{ params: { path: { providerId: provider.id } } }}
          >
            Agents that use it can no longer start conversations. Its key is deleted too.
          </ConfirmButton>
        </>
      )}
    />
  )
}

import { Badge, Text } from '@mantine/core'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { type InstalledModel, useRemoveModel } from './model-queries.js'
import { kindNames, languagesOf, sizeOf } from './model-words.js'

const columns: readonly Column<InstalledModel>[] = [
  {
    header: 'Model',
    cell: ({ name, display_name, problems }) => (
      <>
        <RowTitle>{display_name ?? name}</RowTitle>
        {problems.map((problem) => (
          <Text key={problem} size="xs" c="var(--mantine-color-error)">
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
  const remove = useRemoveModel()
  return (
    <DataTable
      label="Installed models"
      rows={models}
      rowKey={({ name }) => name}
      columns={columns}
      actions={({ name }) => (
        <ConfirmButton
          {...rowButton}
          label="Remove"
          name={`Remove ${name}`}
          title={`Remove ${name}?`}
          confirm="Remove it"
          mutation={remove}
          variables={{ params: { path: { name } } }}
        >
          Its files are deleted. Agents that use its voices cannot speak until they have another one.
        </ConfirmButton>
      )}
    />
  )
}

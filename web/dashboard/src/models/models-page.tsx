import { Badge, Text } from '@mantine/core'
import { Package } from 'lucide-react'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { Section } from '../shared/section.js'
import { ModelCatalog } from './model-catalog.js'
import { type InstalledModel, useInstallableModels, useInstalledModels, useRemoveModel } from './model-queries.js'
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
const InstalledModels = ({ models }: { readonly models: readonly InstalledModel[] }) => {
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

export const ModelsPage = () => {
  const installed = useInstalledModels()
  const installable = useInstallableModels()
  return (
    <Page
      title="Models"
      description="Voices and recognizers that run on this machine. A model can be used a few seconds after it is installed."
    >
      <Loaded query={installed}>
        {({ is_managed, models }) =>
          is_managed ? (
            <>
              {models.length === 0 ? (
                <Empty icon={Package} title="No model is installed">
                  Choose one below.
                </Empty>
              ) : (
                <InstalledModels models={models} />
              )}
              <Section title="Catalog">
                <Loaded query={installable}>
                  {(catalog) => (
                    <ModelCatalog
                      models={catalog.models}
                      recommended={new Set(Object.values(catalog.recommended).filter((name) => name !== null))}
                      installed={new Set(models.map(({ name }) => name))}
                    />
                  )}
                </Loaded>
              </Section>
            </>
          ) : (
            <Empty icon={Package} title="Models are not managed here">
              Run npx parlance models install on the machines of the workers. Their voices are on the page Voices.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}

import { Badge, Button, Group, Select, Stack, Text } from '@mantine/core'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { type Column, DataTable } from '../shared/data-table.js'
import { Dialog } from '../shared/dialog.js'
import { Empty } from '../shared/empty.js'
import { SearchInput } from '../shared/filter-fields.js'
import { DialogButtons } from '../shared/form.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { InstallProgress, LicenseLink, useInstallOwnModel } from './install-model.js'
import type { InstallableModel } from './model-queries.js'
import { findModels, kindNames, languagesOf, orderedModels, sizeOf } from './model-words.js'

interface InstallDialogProps {
  readonly model: InstallableModel
  onClose(): void
}

/** Shows the license, and installs the model when the operator accepts it. Closing the dialog stops the installation. */
const InstallDialog = ({ model, onClose }: InstallDialogProps) => {
  const install = useInstallOwnModel()
  const { name, display_name, license, license_source, license_lineage, size_bytes } = model
  return (
    <Dialog onClose={onClose} closeOnClickOutside={!install.isPending} title={`Install ${display_name}`}>
      <Stack>
        <Text>
          {sizeOf(size_bytes)}. License: <LicenseLink license={license} source={license_source} />.
        </Text>
        {license_lineage !== null && <Text c="dimmed">Made from: {license_lineage}</Text>}
        {install.isPending && <InstallProgress installation={install} model={model} />}
        <ProblemAlert error={install.error} />
        <DialogButtons cancelLabel={install.isPending ? 'Stop' : 'Cancel'} onCancel={onClose}>
          <Button loading={install.isPending} onClick={() => install.mutate(name, { onSuccess: onClose })}>
            Accept and install
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

const columnsOf = (recommended: ReadonlySet<string>): readonly Column<InstallableModel>[] => [
  {
    header: 'Model',
    cell: ({ display_name, name }) => (
      <>
        <Group gap={6}>
          <Text fw={550}>{display_name}</Text>
          {recommended.has(name) && (
            <Badge size="sm" color="teal">
              Recommended
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {name}
        </Text>
      </>
    ),
  },
  { header: 'Kind', cell: ({ kind }) => kindNames[kind], wideOnly: true },
  { header: 'Languages', cell: ({ languages }) => languagesOf(languages), wideOnly: true },
  { header: 'Size', cell: ({ size_bytes }) => sizeOf(size_bytes) },
  { header: 'License', cell: ({ license }) => license ?? 'On its page', wideOnly: true },
]

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }))

interface ModelCatalogProps {
  readonly models: readonly InstallableModel[]
  /** The names of those that suit this machine and the person. */
  readonly recommended: ReadonlySet<string>
  /** The names of those that are installed. */
  readonly installed: ReadonlySet<string>
}

/** What can be installed. */
export const ModelCatalog = ({ models, recommended, installed }: ModelCatalogProps) => {
  const [text, setText] = useState('')
  const [kind, setKind] = useState<string | null>(null)
  const [chosen, setChosen] = useState<InstallableModel>()
  const found = findModels(orderedModels(models, recommended, navigator.languages), { text: text.trim(), kind })
  return (
    <Stack>
      <Group gap="sm">
        <SearchInput
          label="Search for models"
          placeholder="Name or language"
          value={text}
          onChange={setText}
          flex="1 1 14rem"
        />
        <Select aria-label="Kind" placeholder="All kinds" data={kinds} value={kind} onChange={setKind} clearable />
      </Group>
      {found.length === 0 ? (
        <Empty icon={Search} title="No model matches" />
      ) : (
        <DataTable
          key={`${text} ${kind}`}
          label="Catalog"
          rows={found}
          rowKey={({ name }) => name}
          columns={columnsOf(recommended)}
          actions={(model) =>
            installed.has(model.name) ? (
              <Text c="dimmed">Installed</Text>
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Install ${model.name}`}
                onClick={() => setChosen(model)}
              >
                Install
              </Button>
            )
          }
        />
      )}
      {chosen !== undefined && <InstallDialog model={chosen} onClose={() => setChosen(undefined)} />}
    </Stack>
  )
}

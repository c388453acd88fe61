import { Alert, Autocomplete, Button, Select, TextInput } from '@mantine/core'
import { BrainCircuit, Plus } from 'lucide-react'
import { useState } from 'react'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { Dialog, DialogButton } from '../shared/dialog.js'
import { Empty } from '../shared/empty.js'
import { DialogButtons, Form, FormDialog, type FormValues } from '../shared/form.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { formatMs } from '../shared/quantities.js'
import { SecretInput } from '../shared/secret-inputs.js'
import { FoundServers } from './found-servers.js'
import { kindNames } from './kind-names.js'
import {
  type ModelProvider,
  useCreateProvider,
  useDeleteProvider,
  useProviderModels,
  useProviders,
  useTestProvider,
} from './provider-queries.js'

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
const ProviderTable = ({ providers }: { readonly providers: readonly ModelProvider[] }) => {
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

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }))

/** Asks for a provider and its key. */
const ProviderDialog = ({ onClose }: { onClose(): void }) => {
  const [kind, setKind] = useState<ModelProvider['kind']>('openai')
  const create = useCreateProvider()
  const isCompatible = kind === 'openai_compatible'
  const submit = ({ name = '', url = '', key = '' }: FormValues) => {
    const body = {
      ...{ kind, name: name.trim() },
      ...(isCompatible && { url: url.trim() }),
      ...(key.trim() !== '' && { key: key.trim() }),
    }
    create.mutate({ body }, { onSuccess: onClose })
  }
  return (
    <FormDialog title="Add a model provider" label="Add" mutation={create} onSubmit={submit} onClose={onClose}>
      {(field) => (
        <>
          <Select
            label="Kind"
            data={kinds}
            value={kind}
            onChange={(value) => setKind(value as ModelProvider['kind'])}
          />
          <TextInput
            {...field('name')}
            label="Name"
            description="Shown where an Agent chooses its model."
            required
            maxLength={100}
            pattern=".*\S.*"
            data-autofocus
          />
          {isCompatible && (
            <TextInput
              {...field('url')}
              type="url"
              label="Address"
              description="The URL before /chat/completions, such as https://models.example.com/v1."
              required
              maxLength={2048}
            />
          )}
          <SecretInput
            {...field('key')}
            label="Key"
            description={
              isCompatible
                ? 'Leave empty for a server without authentication.'
                : 'It is stored encrypted and never shown.'
            }
            required={!isCompatible}
            maxLength={1000}
            showLabel="Show the key"
          />
        </>
      )}
    </FormDialog>
  )
}

interface TestDialogProps {
  readonly provider: ModelProvider
  onClose(): void
}

/** Sends a request to a model of the provider, and shows how it answered. */
const TestDialog = ({ provider, onClose }: TestDialogProps) => {
  const test = useTestProvider()
  const models = useProviderModels(provider.id)
  return (
    <Dialog title={`Test “${provider.name}”`} onClose={onClose}>
      <Form
        mutation={test}
        onSubmit={({ model = '' }) =>
          test.mutate({ params: { path: { providerId: provider.id } }, body: { model: model.trim() } })
        }
        buttons={
          <DialogButtons cancelLabel="Close" onCancel={onClose}>
            <Button type="submit" loading={test.isPending}>
              Send a request
            </Button>
          </DialogButtons>
        }
      >
        {(field) => (
          <>
            <Autocomplete
              {...field('model')}
              data={models.data?.models ?? []}
              label="Model"
              description="As the provider names it. The test asks for one word, which the provider may charge for."
              required
              maxLength={200}
              pattern=".*\S.*"
              limit={20}
              data-autofocus
            />
            {test.data !== undefined && (
              <Alert role="status" color={test.data.ok ? 'teal' : 'red'}>
                {test.data.ok ? `It answered after ${formatMs(test.data.first_text_ms ?? 0)}.` : test.data.detail}
              </Alert>
            )}
          </>
        )}
      </Form>
    </Dialog>
  )
}

export const ProvidersPage = () => (
  <Page
    title="Model providers"
    description="Language models that Agents of this workspace can use, in addition to those that the operator has set up."
    actions={
      <DialogButton leftSection={<Plus />} label="Add a provider">
        {(close) => <ProviderDialog onClose={close} />}
      </DialogButton>
    }
  >
    <FoundServers />
    <Loaded
      query={useProviders()}
      empty={
        <Empty icon={BrainCircuit} title="No model provider yet">
          Start a model server on this machine, such as Ollama, which is found by itself; or add OpenAI, Anthropic or a
          server of your own.
        </Empty>
      }
    >
      {(providers) => <ProviderTable providers={providers} />}
    </Loaded>
  </Page>
)

import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormDialog, type FormValues } from '../shared/form.js'
import { SecretInput } from '../shared/secret-inputs.js'
import { kindNames } from './kind-names.js'
import { type ModelProvider, useCreateProvider } from './provider-queries.js'

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }))

/** Asks for a provider and its key. */
export const ProviderDialog = ({ onClose }: { onClose(): void }) => {
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

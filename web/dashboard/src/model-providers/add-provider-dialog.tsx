import { Modal, PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogForm } from '../shared/form.js'
import { kindNames } from './kind-names.js'
import { type ModelProvider, useCreateProvider } from './provider-queries.js'

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }))

export interface AddProviderDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** Asks for a provider and its key. */
export const AddProviderDialog = ({ opened, onClose }: AddProviderDialogProps) => {
  const [kind, setKind] = useState<ModelProvider['kind']>('openai')
  const create = useCreateProvider()
  const isCompatible = kind === 'openai_compatible'
  const close = () => {
    onClose()
    create.reset()
  }
  const submit = ({ name = '', url = '', key = '' }: Readonly<Record<string, string>>) => {
    const body = {
      ...{ kind, name: name.trim() },
      ...(isCompatible && { url: url.trim() }),
      ...(key.trim() !== '' && { key: key.trim() }),
    }
    create.mutate({ body }, { onSuccess: close })
  }
  return (
    <Modal opened={opened} onClose={close} title="Add a model provider">
      <DialogForm label="Add" mutation={create} onSubmit={submit} onCancel={close}>
        {(errorOf) => (
          <>
            <Select
              label="Kind"
              data={kinds}
              value={kind}
              onChange={(value) => setKind(value as ModelProvider['kind'])}
              allowDeselect={false}
            />
            <TextInput
              name="name"
              error={errorOf('name')}
              label="Name"
              description="Shown where an Agent chooses its model."
              required
              maxLength={100}
              pattern=".*\S.*"
              autoComplete="off"
              data-autofocus
            />
            {isCompatible && (
              <TextInput
                name="url"
                error={errorOf('url')}
                type="url"
                label="Address"
                description="The URL before /chat/completions, such as https://models.example.com/v1."
                required
                maxLength={2048}
                autoComplete="off"
              />
            )}
            <PasswordInput
              name="key"
              error={errorOf('key')}
              aria-invalid={errorOf('key') !== undefined}
              label="Key"
              description={
                isCompatible
                  ? 'Leave empty for a server without authentication.'
                  : 'It is stored encrypted and never shown.'
              }
              required={!isCompatible}
              maxLength={1000}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
            />
          </>
        )}
      </DialogForm>
    </Modal>
  )
}

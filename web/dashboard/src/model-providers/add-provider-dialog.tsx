import { Modal, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormActions } from '../shared/form-actions.js'
import { kindNames, type ModelProvider, useCreateProvider } from './provider-queries.js'

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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const body = {
      ...{ kind, name: text('name') },
      ...(isCompatible && { url: text('url') }),
      ...(text('key') !== '' && { key: text('key') }),
    }
    create.mutate({ body }, { onSuccess: close })
  }
  return (
    <Modal opened={opened} onClose={close} title="Add a model provider">
      <form onSubmit={submit}>
        <Stack>
          <Select
            label="Kind"
            data={kinds}
            value={kind}
            onChange={(value) => setKind(value as ModelProvider['kind'])}
            allowDeselect={false}
          />
          <TextInput
            name="name"
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
          <FormActions label="Add" mutation={create} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  )
}

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { CopyField } from '../shared/copy-field.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { useCreateKey } from './key-queries.js'

export interface CreateKeyDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** Asks for the label, and shows the value of the new key this once. */
export const CreateKeyDialog = ({ opened, onClose }: CreateKeyDialogProps) => {
  const create = useCreateKey()
  const close = () => {
    onClose()
    create.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate({ body: { label: String(new FormData(event.currentTarget).get('label')).trim() } })
  }
  const { data: made } = create
  return (
    <Modal
      opened={opened}
      onClose={close}
      // A click beside the dialog must not take away the value that is shown once.
      closeOnClickOutside={made === undefined}
      title={made === undefined ? 'Create a key' : `The key “${made.label}”`}
      centered
    >
      {made === undefined ? (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              name="label"
              label="Label"
              description="What the key is for, such as the name of a backend."
              required
              withAsterisk={false}
              maxLength={200}
              pattern=".*\S.*"
              autoComplete="off"
              data-autofocus
            />
            <ProblemAlert error={create.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending}>
                Create
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm">Copy the key now. It is shown this once and cannot be read again.</Text>
          <CopyField name="the key" value={made.key} />
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

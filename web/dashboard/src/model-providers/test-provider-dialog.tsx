import { Alert, Autocomplete, Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent } from 'react'
import { ProblemAlert } from '../shared/problem-alert.js'
import { formatMs } from '../shared/quantities.js'
import { type ModelProvider, useProviderModels, useTestProvider } from './provider-queries.js'

export interface TestProviderDialogProps {
  /** Undefined while the dialog is closed. */
  readonly provider: ModelProvider | undefined
  onClose(): void
}

/** Sends a request to a model of the provider, and shows how it answered. */
export const TestProviderDialog = ({ provider, onClose }: TestProviderDialogProps) => {
  const test = useTestProvider()
  const models = useProviderModels(provider?.id)
  const close = () => {
    onClose()
    test.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const model = String(new FormData(event.currentTarget).get('model')).trim()
    if (provider !== undefined) test.mutate({ params: { path: { providerId: provider.id } }, body: { model } })
  }
  return (
    <Modal opened={provider !== undefined} onClose={close} title={`Test “${provider?.name ?? ''}”`}>
      <form onSubmit={submit}>
        <Stack>
          <Autocomplete
            name="model"
            data={models.data?.models ?? []}
            label="Model"
            description="As the provider names it. The test asks for one word, which the provider may charge for."
            required
            maxLength={200}
            pattern=".*\S.*"
            limit={20}
            autoComplete="off"
            data-autofocus
          />
          <ProblemAlert error={test.error} />
          {test.data !== undefined && (
            <Alert role="status" color={test.data.ok ? 'teal' : 'red'}>
              {test.data.ok ? `It answered after ${formatMs(test.data.first_text_ms ?? 0)}.` : test.data.detail}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Close
            </Button>
            <Button type="submit" loading={test.isPending}>
              Send a request
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

import { Alert, Autocomplete, Button, Group, Modal } from '@mantine/core'
import { Form, type FormValues } from '../shared/form.js'
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
  const submit = ({ model = '' }: FormValues) => {
    if (provider === undefined) return
    test.mutate({ params: { path: { providerId: provider.id } }, body: { model: model.trim() } })
  }
  return (
    <Modal opened={provider !== undefined} onClose={close} title={`Test “${provider?.name ?? ''}”`}>
      <Form
        mutation={test}
        onSubmit={submit}
        buttons={
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Close
            </Button>
            <Button type="submit" loading={test.isPending}>
              Send a request
            </Button>
          </Group>
        }
      >
        {(errorOf) => (
          <>
            <Autocomplete
              name="model"
              error={errorOf('model')}
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
            {test.data !== undefined && (
              <Alert role="status" color={test.data.ok ? 'teal' : 'red'}>
                {test.data.ok ? `It answered after ${formatMs(test.data.first_text_ms ?? 0)}.` : test.data.detail}
              </Alert>
            )}
          </>
        )}
      </Form>
    </Modal>
  )
}

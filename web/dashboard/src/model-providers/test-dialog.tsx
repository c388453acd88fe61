import { Alert, Autocomplete, Button } from '@mantine/core'
import { Dialog } from '../shared/dialog.js'
import { DialogButtons, Form } from '../shared/form.js'
import { formatMs } from '../shared/quantities.js'
import { type ModelProvider, useProviderModels, useTestProvider } from './provider-queries.js'

interface TestDialogProps {
  readonly provider: ModelProvider
  onClose(): void
}

/** Sends a request to a model of the provider, and shows how it answered. */
export const TestDialog = ({ provider, onClose }: TestDialogProps) => {
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

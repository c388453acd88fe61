import { ShownOnceDialog } from '../shared/shown-once-dialog.js'
import { WebhookForm } from './webhook-form.js'
import { useCreateWebhook } from './webhook-queries.js'

export interface CreateWebhookDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** Asks for the new webhook, and shows its secret once. */
export const CreateWebhookDialog = ({ opened, onClose }: CreateWebhookDialogProps) => {
  const create = useCreateWebhook()
  const close = () => {
    onClose()
    create.reset()
  }
  const { data: made } = create
  return (
    <ShownOnceDialog
      opened={opened}
      onClose={close}
      title={made === undefined ? 'Create a webhook' : 'The webhook is created'}
      size="lg"
      name="the secret"
      value={made?.secret}
      hint="Your receiver verifies requests with it."
    >
      <WebhookForm label="Create" mutation={create} onSubmit={(body) => create.mutate({ body })} onCancel={close} />
    </ShownOnceDialog>
  )
}

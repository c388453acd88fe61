import { Modal } from '@mantine/core'
import { WebhookForm } from './webhook-form.js'
import { useChangeWebhook, type Webhook } from './webhook-queries.js'

export interface EditDialogProps {
  readonly webhook: Webhook
  readonly opened: boolean
  onClose(): void
}

/** Changes the address, the description and the events. */
export const EditDialog = ({ webhook, opened, onClose }: EditDialogProps) => {
  const change = useChangeWebhook()
  const close = () => {
    onClose()
    change.reset()
  }
  return (
    <Modal opened={opened} onClose={close} title="Edit the webhook" size="lg">
      <WebhookForm
        webhook={webhook}
        label="Save"
        mutation={change}
        onSubmit={(body) => change.mutate({ params: { path: { webhookId: webhook.id } }, body }, { onSuccess: close })}
        onCancel={close}
      />
    </Modal>
  )
}

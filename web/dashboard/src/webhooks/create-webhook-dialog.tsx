import { Modal } from '@mantine/core'
import { SecretShown } from './secret-shown.js'
import { WebhookForm } from './webhook-form.js'
import { useCreateWebhook } from './webhook-queries.js'

export interface CreateWebhookDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** Asks for the new webhook, and shows its secret this once. */
export const CreateWebhookDialog = ({ opened, onClose }: CreateWebhookDialogProps) => {
  const create = useCreateWebhook()
  const close = () => {
    onClose()
    create.reset()
  }
  const { data: made } = create
  return (
    <Modal
      opened={opened}
      onClose={close}
      // A click beside the dialog must not take away the secret that is shown once.
      closeOnClickOutside={made === undefined}
      title={made === undefined ? 'Create a webhook' : 'The webhook is created'}
      size="lg"
      centered
    >
      {made === undefined ? (
        <WebhookForm label="Create" mutation={create} onSubmit={(body) => create.mutate({ body })} onCancel={close} />
      ) : (
        <SecretShown secret={made.secret} onDone={close} />
      )}
    </Modal>
  )
}

import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { EditDialog } from './edit-dialog.js'
import { RotateDialog } from './rotate-dialog.js'
import { useChangeWebhook, useDeleteWebhook, type Webhook } from './webhook-queries.js'

/** What can be done with a webhook: edit, rotate its secret, disable, delete. */
export const WebhookActions = ({ webhook }: { readonly webhook: Webhook }) => {
  const [isEditing, editing] = useDisclosure(false)
  const [isRotating, rotating] = useDisclosure(false)
  const change = useChangeWebhook()
  const [isDisabling, disabling] = useDisclosure(false, { onClose: change.reset })
  const remove = useDeleteWebhook()
  const [isDeleting, deleting] = useDisclosure(false, { onClose: remove.reset })
  const navigate = useNavigate()
  const params = { path: { webhookId: webhook.id } }
  return (
    <>
      <Button variant="default" onClick={editing.open}>
        Edit
      </Button>
      <Button variant="default" onClick={rotating.open}>
        Rotate the secret
      </Button>
      {webhook.enabled && (
        <Button variant="default" onClick={disabling.open}>
          Disable
        </Button>
      )}
      <Button variant="subtle" color="red" onClick={deleting.open}>
        Delete
      </Button>
      <EditDialog webhook={webhook} opened={isEditing} onClose={editing.close} />
      <RotateDialog webhookId={webhook.id} opened={isRotating} onClose={rotating.close} />
      <ConfirmDialog
        opened={isDisabling}
        title="Disable the webhook?"
        label="Disable it"
        mutation={change}
        onClose={disabling.close}
        onConfirm={() => change.mutate({ params, body: { enabled: false } }, { onSuccess: disabling.close })}
      >
        Events that happen until it is enabled again are not kept for it. Deliveries that are waiting are given up, and
        can be replayed later.
      </ConfirmDialog>
      <ConfirmDialog
        opened={isDeleting}
        title="Delete the webhook?"
        label="Delete it"
        mutation={remove}
        onClose={deleting.close}
        onConfirm={() => remove.mutate({ params }, { onSuccess: () => navigate({ to: '/webhooks' }) })}
      >
        Its secret and its log of deliveries are removed for good.
      </ConfirmDialog>
    </>
  )
}

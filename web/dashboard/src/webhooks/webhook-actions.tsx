import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { ShownOnceDialog } from '../shared/shown-once-dialog.js'
import { WebhookForm } from './webhook-form.js'
import { useChangeWebhook, useDeleteWebhook, useRotateSecret, type Webhook } from './webhook-queries.js'

interface EditDialogProps {
  readonly webhook: Webhook
  readonly opened: boolean
  onClose(): void
}

/** Changes the address, the description and the events. */
const EditDialog = ({ webhook, opened, onClose }: EditDialogProps) => {
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

interface RotateDialogProps {
  readonly webhookId: string
  readonly opened: boolean
  onClose(): void
}

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Creates a new secret after a confirmation, and shows it once. */
const RotateDialog = ({ webhookId, opened, onClose }: RotateDialogProps) => {
  const rotate = useRotateSecret()
  const close = () => {
    onClose()
    rotate.reset()
  }
  const { data: made } = rotate
  return (
    <ShownOnceDialog
      opened={opened}
      onClose={close}
      title={made === undefined ? 'Make a new secret?' : 'The new secret'}
      name="the secret"
      value={made?.secret}
      hint={
        made &&
        `Your receiver verifies requests with it. The earlier secret signs as well until ${exact.format(new Date(made.previous_secrets_expire_at))}.`
      }
    >
      <Stack>
        <Text size="sm">
          For 24 hours requests are signed with the present secret as well, so that your receiver can change over
          without missing an event.
        </Text>
        <ProblemAlert error={rotate.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate({ params: { path: { webhookId } } })}>
            Make a new secret
          </Button>
        </Group>
      </Stack>
    </ShownOnceDialog>
  )
}

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

import { Button, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { Dialog, DialogButton } from '../shared/dialog.js'
import { DialogButtons } from '../shared/form.js'
import { formatMoment } from '../shared/moment.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { ShownOnceDialog } from '../shared/shown-once-dialog.js'
import { WebhookForm } from './webhook-form.js'
import { useChangeWebhook, useDeleteWebhook, useRotateSecret, type Webhook } from './webhook-queries.js'

interface WebhookDialogProps {
  readonly webhook: Webhook
  onClose(): void
}

/** Changes the address, the description and the events. */
const EditDialog = ({ webhook, onClose }: WebhookDialogProps) => {
  const change = useChangeWebhook()
  return (
    <Dialog title="Edit the webhook" size="lg" onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        label="Save"
        mutation={change}
        onSubmit={(body) =>
          change.mutate({ params: { path: { webhookId: webhook.id } }, body }, { onSuccess: onClose })
        }
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Creates a new secret after a confirmation, and shows it once. */
const RotateDialog = ({ webhook, onClose }: WebhookDialogProps) => {
  const rotate = useRotateSecret()
  const { data: made } = rotate
  return (
    <ShownOnceDialog
      onClose={onClose}
      title={made === undefined ? 'Make a new secret?' : 'The new secret'}
      name="the secret"
      value={made?.secret}
      hint={
        made &&
        `Your receiver verifies requests with it. The earlier secret signs as well until ${formatMoment(made.previous_secrets_expire_at)}.`
      }
    >
      <Stack>
        <Text>
          For 24 hours requests are signed with the present secret as well, so that your receiver can change over
          without missing an event.
        </Text>
        <ProblemAlert error={rotate.error} />
        <DialogButtons onCancel={onClose} cancelHasFocus>
          <Button
            loading={rotate.isPending}
            onClick={() => rotate.mutate({ params: { path: { webhookId: webhook.id } } })}
          >
            Make a new secret
          </Button>
        </DialogButtons>
      </Stack>
    </ShownOnceDialog>
  )
}

/** What can be done with a webhook: edit, rotate its secret, disable, delete. */
export const WebhookActions = ({ webhook }: { readonly webhook: Webhook }) => {
  const change = useChangeWebhook()
  const remove = useDeleteWebhook()
  const navigate = useNavigate()
  const params = { path: { webhookId: webhook.id } }
  return (
    <>
      <DialogButton variant="default" label="Edit">
        {(close) => <EditDialog webhook={webhook} onClose={close} />}
      </DialogButton>
      <DialogButton variant="default" label="Rotate the secret">
        {(close) => <RotateDialog webhook={webhook} onClose={close} />}
      </DialogButton>
      {webhook.enabled && (
        <ConfirmButton
          variant="default"
          label="Disable"
          title="Disable the webhook?"
          confirm="Disable it"
          mutation={change}
          variables={{ params, body: { enabled: false } }}
        >
          Events that happen until it is enabled again are not kept for it. Deliveries that are waiting are given up,
          and can be replayed later.
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Delete"
        title="Delete the webhook?"
        confirm="Delete it"
        mutation={remove}
        variables={{ params }}
        onDone={() => void navigate({ to: '/webhooks' })}
      >
        Its secret and its log of deliveries are removed for good.
      </ConfirmButton>
    </>
  )
}

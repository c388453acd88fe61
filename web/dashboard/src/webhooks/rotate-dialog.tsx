import { Button, Group, Stack, Text } from '@mantine/core'
import { ProblemAlert } from '../shared/problem-alert.js'
import { ShownOnceDialog } from '../shared/shown-once-dialog.js'
import { useRotateSecret } from './webhook-queries.js'

export interface RotateDialogProps {
  readonly webhookId: string
  readonly opened: boolean
  onClose(): void
}

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Creates a new secret after a confirmation, and shows it once. */
export const RotateDialog = ({ webhookId, opened, onClose }: RotateDialogProps) => {
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

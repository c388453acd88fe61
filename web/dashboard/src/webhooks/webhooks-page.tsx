import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { type Column, DataTable } from '../shared/data-table.js'
import { Empty } from '../shared/empty.js'
import { PageAnchor } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { ShownOnceDialog } from '../shared/shown-once-dialog.js'
import { DisabledNotice } from './disabled-notice.js'
import { WebhookBadge } from './webhook-badge.js'
import { WebhookForm } from './webhook-form.js'
import type { Webhook } from './webhook-queries.js'
import { useCreateWebhook, useWebhooks } from './webhook-queries.js'

interface CreateWebhookDialogProps {
  readonly opened: boolean
  onClose(): void
}

/** Asks for the new webhook, and shows its secret once. */
const CreateWebhookDialog = ({ opened, onClose }: CreateWebhookDialogProps) => {
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

const columns: readonly Column<Webhook>[] = [
  {
    header: 'Address',
    cell: ({ id, url, description }) => (
      <>
        <PageAnchor to="/webhooks/$webhookId" params={{ webhookId: id }} size="sm" fw={550}>
          {url}
        </PageAnchor>
        {description !== '' && (
          <Text size="xs" c="dimmed" dir="auto">
            {description}
          </Text>
        )}
      </>
    ),
  },
  { header: 'Status', cell: (webhook) => <WebhookBadge webhook={webhook} /> },
  {
    header: 'Events',
    cell: ({ events }) => (
      <Text size="xs" c="dimmed">
        {events.join(', ')}
      </Text>
    ),
    wideOnly: true,
  },
  { header: 'Created', cell: ({ created_at }) => <Moment at={created_at} />, wideOnly: true },
]

/** The webhooks of the workspace, each with a link to its page. */
const WebhookTable = ({ webhooks }: { readonly webhooks: readonly Webhook[] }) => (
  <DataTable label="Webhooks" rows={webhooks} rowKey={({ id }) => id} columns={columns} />
)

export const WebhooksPage = () => {
  const list = useWebhooks()
  const [isCreating, { open, close }] = useDisclosure(false)
  return (
    <Page
      title="Webhooks"
      description="Parlance sends your servers a signed request when something happens in this workspace."
      actions={
        <Button leftSection={<Plus />} onClick={open}>
          Create a webhook
        </Button>
      }
    >
      <Loaded query={list}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty icon={WebhookIcon} title="No webhook yet">
              Create one with the address of your receiver, and choose the events to send.
            </Empty>
          ) : (
            <>
              {webhooks
                .filter(({ disabled_reason }) => disabled_reason === 'failing')
                .map((webhook) => (
                  <DisabledNotice key={webhook.id} webhook={webhook} />
                ))}
              <WebhookTable webhooks={webhooks} />
            </>
          )
        }
      </Loaded>
      <CreateWebhookDialog opened={isCreating} onClose={close} />
    </Page>
  )
}

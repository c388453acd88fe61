import { Text } from '@mantine/core'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { type Column, DataTable } from '../shared/data-table.js'
import { DialogButton } from '../shared/dialog.js'
import { Empty } from '../shared/empty.js'
import { PageAnchor } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { ShownOnceDialog } from '../shared/shown-once-dialog.js'
import { DisabledNotice } from './disabled-notice.js'
import { WebhookBadge } from './webhook-badge.js'
import { WebhookForm } from './webhook-form.js'
import { useCreateWebhook, useWebhooks, type Webhook } from './webhook-queries.js'

/** Asks for the new webhook, and shows its secret once. */
const CreateWebhookDialog = ({ onClose }: { onClose(): void }) => {
  const create = useCreateWebhook()
  const { data: made } = create
  return (
    <ShownOnceDialog
      onClose={onClose}
      title={made === undefined ? 'Create a webhook' : 'The webhook is created'}
      size="lg"
      name="the secret"
      value={made?.secret}
      hint="Your receiver verifies requests with it."
    >
      <WebhookForm label="Create" mutation={create} onSubmit={(body) => create.mutate({ body })} onCancel={onClose} />
    </ShownOnceDialog>
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    header: 'Address',
    cell: ({ id, url, description }) => (
      <>
        <PageAnchor to="/webhooks/$webhookId" params={{ webhookId: id }} fw={550}>
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

export const WebhooksPage = () => (
  <Page
    title="Webhooks"
    description="Parlance sends your servers a signed request when something happens in this workspace."
    actions={
      <DialogButton leftSection={<Plus />} label="Create a webhook">
        {(close) => <CreateWebhookDialog onClose={close} />}
      </DialogButton>
    }
  >
    <Loaded
      query={useWebhooks()}
      empty={
        <Empty icon={WebhookIcon} title="No webhook yet">
          Create one with the address of your receiver, and choose the events to send.
        </Empty>
      }
    >
      {(webhooks) => (
        <>
          {webhooks
            .filter(({ disabled_reason }) => disabled_reason === 'failing')
            .map((webhook) => (
              <DisabledNotice key={webhook.id} webhook={webhook} />
            ))}
          <DataTable label="Webhooks" rows={webhooks} rowKey={({ id }) => id} columns={columns} />
        </>
      )}
    </Loaded>
  </Page>
)

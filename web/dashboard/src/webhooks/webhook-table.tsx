import { Text } from '@mantine/core'
import { type Column, DataTable } from '../shared/data-table.js'
import { PageAnchor } from '../shared/links.js'
import { Moment } from '../shared/moment.js'
import { WebhookBadge } from './webhook-badge.js'
import type { Webhook } from './webhook-queries.js'

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
export const WebhookTable = ({ webhooks }: { readonly webhooks: readonly Webhook[] }) => (
  <DataTable label="Webhooks" rows={webhooks} rowKey={({ id }) => id} columns={columns} />
)

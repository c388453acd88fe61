import { Group, SegmentedControl, Stack, Title } from '@mantine/core'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { Empty } from '../shared/empty.js'
import { Loaded } from '../shared/loaded.js'
import { MoreButton } from '../shared/more-button.js'
import { DeliveryTable } from './delivery-table.js'
import { type DeliveryStatus, useDeliveries, type Webhook } from './webhook-queries.js'

const filters = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Waiting' },
  { value: 'succeeded', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
]

/** The deliveries of a webhook, newest first, by their status. */
export const DeliveryLog = ({ webhook }: { readonly webhook: Webhook }) => {
  const [filter, setFilter] = useState('all')
  const log = useDeliveries(webhook.id, filter === 'all' ? undefined : (filter as DeliveryStatus))
  return (
    <Stack component="section" aria-labelledby="deliveries">
      <Group justify="space-between" gap="sm">
        <Title order={2} id="deliveries">
          Deliveries
        </Title>
        <SegmentedControl size="xs" aria-label="Status" data={filters} value={filter} onChange={setFilter} />
      </Group>
      <Loaded query={log}>
        {({ pages }) => {
          const deliveries = pages.flatMap((page) => page.deliveries)
          return deliveries.length === 0 ? (
            <Empty icon={Send} title={filter === 'all' ? 'No delivery yet' : 'None has this status'}>
              {filter === 'all'
                ? 'Events are listed here as soon as they happen. The log keeps them for 30 days.'
                : undefined}
            </Empty>
          ) : (
            <Stack>
              <DeliveryTable webhook={webhook} deliveries={deliveries} />
              <MoreButton list={log} label="Show older deliveries" />
            </Stack>
          )
        }}
      </Loaded>
    </Stack>
  )
}

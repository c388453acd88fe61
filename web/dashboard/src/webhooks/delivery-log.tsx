import { Badge, Button, Code, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { Dialog, DialogButton } from '../shared/dialog.js'
import { Empty } from '../shared/empty.js'
import { Moment } from '../shared/moment.js'
import { PagedList } from '../shared/paged-list.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { eventNames } from './event-names.js'
import { type Delivery, type DeliveryStatus, useDeliveries, useReplay, type Webhook } from './webhook-queries.js'

const Attempt = ({ attempted_at, duration_ms, status, response, error }: Delivery['attempts'][number]) => (
  <Stack gap={4} component="li">
    <Text fw={550}>
      <Moment at={attempted_at} />, {status === null ? 'no answer' : `status ${status}`}, {duration_ms} ms
    </Text>
    {error !== null && <Text>{error}</Text>}
    {response !== null && response !== '' && (
      <Code block tabIndex={0} role="group" aria-label="the answer">
        {response}
      </Code>
    )}
  </Stack>
)

/** The last attempts of a delivery, newest first, with the beginnings of the responses. */
const Attempts = ({ delivery: { event_id, attempts } }: { readonly delivery: Delivery }) => (
  <Stack>
    <Text>
      Each had the header <Code>webhook-id: {event_id}</Code>
    </Text>
    {attempts.length === 0 && <Text>None was made yet.</Text>}
    <Stack component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.map((attempt) => (
        <Attempt key={attempt.attempted_at} {...attempt} />
      ))}
    </Stack>
  </Stack>
)

const looks: Readonly<Record<Delivery['status'], { label: string; color: string }>> = {
  pending: { label: 'Waiting', color: 'indigo' },
  succeeded: { label: 'Delivered', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
}

/** The result of the last attempt, and when the next one is due. */
const outcomeOf = ({ attempts: [last], next_attempt_at }: Delivery) => {
  if (last === undefined) return 'Not attempted yet'
  return (
    <>
      {last.error ?? `Status ${last.status} in ${last.duration_ms} ms`}
      {next_attempt_at !== null && (
        <>
          {' Next attempt '}
          <Moment at={next_attempt_at} />.
        </>
      )}
    </>
  )
}

const columns: readonly Column<Delivery>[] = [
  {
    header: 'Event',
    cell: (delivery) => <RowTitle detail={outcomeOf(delivery)}>{eventNames[delivery.type]}</RowTitle>,
  },
  {
    header: 'Status',
    cell: ({ status }) => <Badge color={looks[status].color}>{looks[status].label}</Badge>,
  },
  { header: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
]

interface DeliveryTableProps {
  readonly webhook: Webhook
  readonly deliveries: readonly Delivery[]
}

/** Deliveries, each with its attempts and a button to replay it. */
const DeliveryTable = ({ webhook, deliveries }: DeliveryTableProps) => {
  const replay = useReplay()
  const replayed = replay.isPending ? replay.variables.params.path.deliveryId : undefined
  return (
    <>
      <ProblemAlert error={replay.error} />
      <DataTable
        label="Deliveries"
        rows={deliveries}
        rowKey={({ id }) => id}
        columns={columns}
        isWhole
        actions={(delivery) => {
          const { id, type } = delivery
          return (
            <>
              <DialogButton {...rowButton} label="Attempts" name={`Attempts of ${type}`}>
                {(close) => (
                  <Dialog title="Attempts" size="lg" onClose={close}>
                    <Attempts delivery={delivery} />
                  </Dialog>
                )}
              </DialogButton>
              {webhook.enabled && (
                <Button
                  {...rowButton}
                  aria-label={`Replay ${type}`}
                  loading={replayed === id}
                  onClick={() => replay.mutate({ params: { path: { webhookId: webhook.id, deliveryId: id } } })}
                >
                  Replay
                </Button>
              )}
            </>
          )
        }}
      />
    </>
  )
}

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
      <PagedList
        list={log}
        empty={
          filter === 'all' ? (
            <Empty icon={Send} title="No delivery yet">
              Events are listed here as soon as they happen. The log keeps them for 30 days.
            </Empty>
          ) : (
            <Empty icon={Send} title="None has this status" />
          )
        }
        more="Show older deliveries"
      >
        {(deliveries) => <DeliveryTable webhook={webhook} deliveries={deliveries} />}
      </PagedList>
    </Stack>
  )
}

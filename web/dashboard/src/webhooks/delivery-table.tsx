import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../shared/data-table.js'
import { Moment } from '../shared/moment.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { AttemptsDialog } from './attempts-dialog.js'
import { eventNames } from './event-names.js'
import { type Delivery, useReplay, type Webhook } from './webhook-queries.js'

const looks: Readonly<Record<Delivery['status'], { label: string; color: string }>> = {
  pending: { label: 'Waiting', color: 'indigo' },
  succeeded: { label: 'Delivered', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
}

/** The result of the last attempt, and when the next one is due. */
const outcomeOf = ({ attempts, next_attempt_at }: Delivery) => {
  const [last] = attempts
  const said =
    last === undefined ? 'Not attempted yet' : (last.error ?? `Status ${last.status} in ${last.duration_ms} ms`)
  return (
    <Text size="xs" c="dimmed">
      {said}
      {last !== undefined && next_attempt_at !== null && (
        <>
          {' Next attempt '}
          <Moment at={next_attempt_at} />.
        </>
      )}
    </Text>
  )
}

const columns: readonly Column<Delivery>[] = [
  {
    header: 'Event',
    cell: (delivery) => (
      <>
        <Text size="sm" fw={550}>
          {eventNames[delivery.type]}
        </Text>
        {outcomeOf(delivery)}
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ status }) => <Badge color={looks[status].color}>{looks[status].label}</Badge>,
  },
  { header: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
]

export interface DeliveryTableProps {
  readonly webhook: Webhook
  readonly deliveries: readonly Delivery[]
}

/** Deliveries, each with its attempts and a button to replay it. */
export const DeliveryTable = ({ webhook, deliveries }: DeliveryTableProps) => {
  const [shownId, setShownId] = useState<string>()
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
        actions={({ id, type }) => (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`Attempts of ${type}`}
              onClick={() => setShownId(id)}
            >
              Attempts
            </Button>
            {webhook.enabled && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Replay ${type}`}
                loading={replayed === id}
                onClick={() => replay.mutate({ params: { path: { webhookId: webhook.id, deliveryId: id } } })}
              >
                Replay
              </Button>
            )}
          </Group>
        )}
      />
      <AttemptsDialog delivery={deliveries.find(({ id }) => id === shownId)} onClose={() => setShownId(undefined)} />
    </>
  )
}

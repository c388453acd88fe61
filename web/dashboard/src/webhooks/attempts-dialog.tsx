import { Code, Modal, Stack, Text } from '@mantine/core'
import { Moment } from '../shared/moment.js'
import type { Delivery } from './webhook-queries.js'

export interface AttemptsDialogProps {
  /** Undefined while the dialog is closed. */
  readonly delivery: Delivery | undefined
  onClose(): void
}

const Attempt = ({ attempted_at, duration_ms, status, response, error }: Delivery['attempts'][number]) => (
  <Stack gap={4} component="li">
    <Text size="sm" fw={550}>
      <Moment at={attempted_at} />, {status === null ? 'no answer' : `status ${status}`}, {duration_ms} ms
    </Text>
    {error !== null && <Text size="sm">{error}</Text>}
    {response !== null && response !== '' && (
      <Code block tabIndex={0} role="group" aria-label="the answer">
        {response}
      </Code>
    )}
  </Stack>
)

/** The last attempts of a delivery, newest first, with the beginnings of the responses. */
export const AttemptsDialog = ({ delivery, onClose }: AttemptsDialogProps) => (
  <Modal opened={delivery !== undefined} onClose={onClose} title="Attempts" size="lg">
    {delivery !== undefined && (
      <Stack>
        <Text size="sm">
          Each had the header <Code>webhook-id: {delivery.event_id}</Code>
        </Text>
        {delivery.attempts.length === 0 && <Text size="sm">None was made yet.</Text>}
        <Stack component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
          {delivery.attempts.map((attempt) => (
            <Attempt key={attempt.attempted_at} {...attempt} />
          ))}
        </Stack>
      </Stack>
    )}
  </Modal>
)

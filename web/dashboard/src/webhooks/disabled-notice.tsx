import { Alert, Button, Stack, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { Moment } from '../shared/moment.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { useChangeWebhook, type Webhook } from './webhook-queries.js'

const Reason = ({ disabled_reason, disabled_at }: Webhook) => {
  const at = disabled_at !== null && <Moment at={disabled_at} />
  return disabled_reason === 'failing' ? (
    <>No delivery succeeded for five days, so it was disabled {at}. Fix the receiver, then enable the webhook.</>
  ) : (
    <>It was disabled {at}.</>
  )
}

/** Explains why a webhook receives no events; nothing for an enabled one. */
export const DisabledNotice = ({ webhook }: { readonly webhook: Webhook }) => {
  const change = useChangeWebhook()
  if (webhook.enabled) return null
  return (
    <Alert
      role="alert"
      color={webhook.disabled_reason === 'failing' ? 'orange' : 'gray'}
      title={`${new URL(webhook.url).host} is not receiving events`}
      icon={<TriangleAlert />}
    >
      <Stack gap="xs" align="flex-start">
        <Text component="div">
          <Reason {...webhook} /> Events that happen in the meantime are not kept for it.
        </Text>
        <ProblemAlert error={change.error} />
        <Button
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ params: { path: { webhookId: webhook.id } }, body: { enabled: true } })}
        >
          Enable it
        </Button>
      </Stack>
    </Alert>
  )
}

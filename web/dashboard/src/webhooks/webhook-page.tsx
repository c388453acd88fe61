import { Code, Group, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { PageAnchor } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { DeliveryLog } from './delivery-log.js'
import { DisabledNotice } from './disabled-notice.js'
import { WebhookActions } from './webhook-actions.js'
import { WebhookBadge } from './webhook-badge.js'
import { useWebhook, type Webhook } from './webhook-queries.js'

const Facts = ({ webhook }: { readonly webhook: Webhook }) => (
  <Stack gap="xs">
    <Group gap="xs">
      <WebhookBadge webhook={webhook} />
      {webhook.enabled && webhook.failing_since !== null && (
        <Text>
          No delivery has succeeded since <Moment at={webhook.failing_since} />. After five days the webhook is
          disabled.
        </Text>
      )}
    </Group>
    {webhook.description !== '' && (
      <Text dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {webhook.description}
      </Text>
    )}
    <Group gap={4}>
      {webhook.events.map((type) => (
        <Code key={type}>{type}</Code>
      ))}
    </Group>
  </Stack>
)

/** One webhook with the log of its deliveries. */
export const WebhookPage = () => {
  const { webhookId } = useParams({ from: '/signed-in/webhooks/$webhookId' })
  const query = useWebhook(webhookId)
  const { data: webhook } = query
  return (
    <Page
      title={webhook === undefined ? 'Webhook' : `Webhook to ${new URL(webhook.url).host}`}
      description={
        <>
          <PageAnchor to="/webhooks">All webhooks</PageAnchor>
          {webhook !== undefined && (
            <Text component="span" display="block" style={{ overflowWrap: 'anywhere' }}>
              {webhook.url}
            </Text>
          )}
        </>
      }
      actions={webhook !== undefined && <WebhookActions webhook={webhook} />}
    >
      <Loaded query={query}>
        {(loaded) => (
          <>
            <DisabledNotice webhook={loaded} />
            <Facts webhook={loaded} />
            <DeliveryLog webhook={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

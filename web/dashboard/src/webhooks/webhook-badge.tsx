import { Badge } from '@mantine/core'
import type { Webhook } from './webhook-queries.js'

const looks = {
  active: { label: 'Active', color: 'teal' },
  failing: { label: 'Failing', color: 'orange' },
  disabled: { label: 'Disabled', color: 'gray' },
} as const

const lookOf = ({ enabled, failing_since }: Webhook) => {
  if (!enabled) return looks.disabled
  return failing_since === null ? looks.active : looks.failing
}

/** Whether a webhook is enabled, and whether its deliveries succeed. */
export const WebhookBadge = ({ webhook }: { readonly webhook: Webhook }) => {
  const { label, color } = lookOf(webhook)
  return <Badge color={color}>{label}</Badge>
}

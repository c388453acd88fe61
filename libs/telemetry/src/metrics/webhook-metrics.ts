import { Counter, Histogram } from 'prom-client'
import type { Instruments } from './instruments.js'

/** Deliveries of events to webhooks. */
export interface WebhookMetrics {
  /** An attempt of a delivery has ended. */
  webhookAttempt(outcome: 'succeeded' | 'failed', durationMs: number): void
  /** A webhook was disabled, because it has failed for too long. */
  webhookDisabled(): void
}

export const createWebhookMetrics = ({ registers }: Instruments): WebhookMetrics => {
  const attempts = new Histogram({
    registers,
    name: 'parlance_webhook_attempt_seconds',
    help: 'Attempts to deliver an event to a webhook, by their outcome: succeeded, failed',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
  })
  const disabled = new Counter({
    registers,
    name: 'parlance_webhooks_disabled_total',
    help: 'Webhooks that were disabled because they have failed for five days',
  })
  for (const outcome of ['succeeded', 'failed']) attempts.zero({ outcome })

  return {
    webhookAttempt: (outcome, durationMs) => attempts.labels(outcome).observe(durationMs / 1000),
    webhookDisabled: () => disabled.inc(),
  }
}

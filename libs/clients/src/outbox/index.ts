export { type AuditRelayOptions, addToAuditLog, startAuditRelay } from './audit-outbox.js'
export { addToOutbox, type NewOutboxEvent, type OutboxEvent } from './outbox.js'
export { type OutboxRelay, type OutboxRelayOptions, startOutboxRelay } from './outbox-relay.js'
export { addToWebhooks, startWebhookRelay, type WebhookRelayOptions } from './webhook-outbox.js'

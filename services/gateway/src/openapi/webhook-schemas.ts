import { createdWebhookSchema, rotatedWebhookSchema, webhookDeliverySchema, webhookSchema } from '@parlance/contracts'

export const webhook = webhookSchema.meta({ id: 'Webhook' })
export const createdWebhook = createdWebhookSchema.meta({ id: 'CreatedWebhook' })
export const rotatedWebhook = rotatedWebhookSchema.meta({ id: 'RotatedWebhook' })
export const webhookDelivery = webhookDeliverySchema.meta({ id: 'WebhookDelivery' })

export { type AllowedPlaces, everyPlace, parseAllowedPlaces } from './allowed-places.js'
export type { ResolveName } from './guarded-connector.js'
export {
  createOutboundClient,
  type OutboundAnswer,
  type OutboundClient,
  type OutboundClientOptions,
  type OutboundRequest,
} from './outbound-client.js'
export { OutboundError, type OutboundProblem } from './outbound-error.js'
export { isPublicAddress } from './public-address.js'
export { createWebhookSigner, type WebhookSigner } from './webhook-signer.js'

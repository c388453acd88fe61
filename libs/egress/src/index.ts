export { type AllowedPlaces, everyPlace, parseAllowedPlaces } from './allowed-places.js'
export {
  createEgressClient,
  type EgressClient,
  type EgressClientOptions,
  type EgressRequest,
  type EgressResponse,
} from './egress-client.js'
export { EgressError } from './egress-error.js'
export { createEgressGuard, type EgressGuard, type EgressGuardOptions } from './egress-guard.js'
export type { ResolveName } from './guarded-connector.js'
export { outboundVariables } from './outbound-variables.js'
export { isPublicAddress } from './public-address.js'
export { createWebhookSigner, type WebhookSigner } from './webhook-signer.js'

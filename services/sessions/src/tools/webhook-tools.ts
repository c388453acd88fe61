import { createEgressClient, createWebhookSigner, type WebhookSigner } from '@parlance/egress'
import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import type { OpenTools } from './open-tools.js'
import type { WebhookConfig } from './webhook-config.js'
import { createOpenWebhookTools } from './webhook-tool.js'

export interface WebhookTools {
  readonly openTools: OpenTools
  close(): Promise<void>
}

const signerOf = (config: WebhookConfig, readSecret: ReadSecret): WebhookSigner | undefined => {
  const secret = readSecretSetting(config, 'TOOL_SIGNING_KEY', readSecret)
  if (secret === undefined) return undefined
  try {
    return createWebhookSigner(secret)
  } catch (cause) {
    throw new StartupError([`TOOL_SIGNING_KEY ${(cause as Error).message}.`], { cause })
  }
}

/** Opens webhook tools and logs the public key of their signatures. Throws `StartupError` for an invalid key. */
export const createWebhookTools = (
  config: WebhookConfig,
  { logger, readSecret }: { readonly logger: Logger; readonly readSecret: ReadSecret },
): WebhookTools => {
  const signer = signerOf(config, readSecret)
  if (signer === undefined) {
    logger.info({ component: 'tools' }, 'TOOL_SIGNING_KEY is not set: webhook tools of Agents are not called')
  } else {
    logger.info({ component: 'tools', publicKey: signer.publicKey }, 'Calls of webhook tools are signed by this key')
  }
  const client = createEgressClient({ allow: config.OUTBOUND_ALLOW, ports: config.OUTBOUND_PORTS })
  return { openTools: createOpenWebhookTools({ client, signer, logger }), close: client.close }
}

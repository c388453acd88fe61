/**
 * Tools that are web services of a customer.
 *
 * - The Agent, the conversation and the end user of a call are set by this service and signed; only `arguments` come from the
 *   model.
 * - A tool may have effects, so a request that may have arrived is not sent again.
 * - Requests and responses are not logged.
 */

import { randomUUID } from 'node:crypto'
import { retry } from '@parlance/async'
import type { Tool as ToolConfig } from '@parlance/contracts'
import {
  createEgressClient,
  createWebhookSigner,
  type EgressClient,
  EgressError,
  type EgressRequest,
  type EgressResponse,
  outboundVariables,
  type WebhookSigner,
} from '@parlance/egress'
import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import type { OpenTools, OpenToolsOptions, Tool, ToolContext, ToolResult } from './tool.js'
import { untrustedText } from './tool-runner.js'

/** The variables of webhook tools; spread into the service's `env`. */
export const webhookVariables = {
  TOOL_SIGNING_KEY: z.string().trim().min(1).optional().describe('"whsk_" followed by 32 random bytes in base64'),
  TOOL_SIGNING_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('a file with the key that calls of webhook tools are signed with'),
  ...outboundVariables,
}

type WebhookSettings = z.output<z.ZodObject<typeof webhookVariables>>

export interface WebhookToolsOptions {
  readonly client: Pick<EgressClient, 'send'>
  /** Undefined when the installation has no key: calls of webhook tools fail then. */
  readonly signer: WebhookSigner | undefined
  readonly logger: Logger
}

type WebhookConfig = Extract<ToolConfig, { type: 'webhook' }>

const maxBodyBytes = 64 * 1024
const maxResponseBytes = 256 * 1024
/** The limit of a response for the model. */
const maxCharacters = 8_000

const failed = (text: string): ToolResult => ({ text, isError: true })

const isReadable = (mediaType: string) =>
  mediaType === '' || mediaType === 'application/json' || mediaType.endsWith('+json') || mediaType === 'text/plain'

/** The text of a 4xx response may help the model to correct its call. The text of a 5xx response does not. */
const resultOf = ({ status, mediaType, text }: EgressResponse): ToolResult => {
  const body = isReadable(mediaType) ? untrustedText(text, maxCharacters) : undefined
  if (status >= 400) {
    const refusal = status < 500 && body ? `: ${body}` : '.'
    return failed(`The tool failed with status ${status}${refusal}`)
  }
  if (body === undefined) return failed('The tool answered with something that is neither JSON nor plain text.')
  return { text: body === '' ? 'The tool succeeded and returned nothing.' : body, isError: false }
}

/** For the model. */
export const egressFailures = {
  refused: 'The tool cannot be reached: its address is not allowed.',
  unreachable: 'The tool cannot be reached.',
  timeout: 'The tool did not answer in time.',
  too_long: 'The answer of the tool is too long.',
  broken: 'The connection to the tool broke. Whether it did anything is not known.',
} as const satisfies Record<EgressError['problem'], string>

export const createOpenWebhookTools = ({ client, signer, logger }: WebhookToolsOptions): OpenTools => {
  const send = async (
    { url, timeout_ms: timeoutMs }: WebhookConfig,
    body: string,
    key: WebhookSigner,
    signal: AbortSignal,
  ): Promise<EgressResponse> => {
    const request: EgressRequest = {
      url,
      body,
      timeoutMs,
      maxBytes: maxResponseBytes,
      signal,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/plain',
        'user-agent': 'Parlance',
        ...key.sign(`msg_${randomUUID()}`, new Date(), body),
      },
    }
    return retry(() => client.send(request), {
      maxAttempts: 2,
      backoff: { firstMs: 0, maxMs: 0 },
      signal,
      shouldRetry: (error) => error instanceof EgressError && error.problem === 'unreachable',
    })
  }

  const call = async (
    config: WebhookConfig,
    { agentId, sessionId, endUserId, workspaceId }: OpenToolsOptions,
    args: unknown,
    { callId, signal }: ToolContext,
  ): Promise<ToolResult> => {
    const { name } = config
    if (signer === undefined) return failed('This tool is not available here.')
    const body = JSON.stringify({
      tool_call_id: callId,
      name,
      arguments: args,
      agent_id: agentId,
      session_id: sessionId,
      end_user_id: endUserId,
    })
    if (Buffer.byteLength(body) > maxBodyBytes) return failed('The arguments are too long.')
    try {
      return resultOf(await send(config, body, signer, signal))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof EgressError)) throw error
      const { problem: code } = error
      logger.warn({ component: 'tools', workspaceId, agentId, sessionId, code, err: error }, 'A webhook tool failed')
      return failed(egressFailures[code])
    }
  }

  return (options) =>
    options.config.tools
      .filter((config) => config.type === 'webhook')
      .map(
        (config): Tool => ({
          name: config.name,
          description: config.description,
          parameters: { type: 'object', properties: {}, ...config.parameters },
          timeoutMs: config.timeout_ms,
          call: (args, context) => call(config, options, args, context),
        }),
      )
}

const signerOf = (settings: WebhookSettings, readSecret: ReadSecret): WebhookSigner | undefined => {
  const secret = readSecretSetting(settings, 'TOOL_SIGNING_KEY', readSecret)
  if (secret === undefined) return undefined
  try {
    return createWebhookSigner(secret)
  } catch (cause) {
    throw new StartupError([`TOOL_SIGNING_KEY ${(cause as Error).message}.`], { cause })
  }
}

/** Opens webhook tools and logs the public key of their signatures. Throws `StartupError` for an invalid key. */
export const createWebhookTools = (
  settings: WebhookSettings,
  { logger, readSecret }: { readonly logger: Logger; readonly readSecret: ReadSecret },
) => {
  const signer = signerOf(settings, readSecret)
  if (signer === undefined) {
    logger.info({ component: 'tools' }, 'TOOL_SIGNING_KEY is not set: webhook tools of Agents are not called')
  } else {
    logger.info({ component: 'tools', publicKey: signer.publicKey }, 'Calls of webhook tools are signed by this key')
  }
  const client = createEgressClient({ allow: settings.OUTBOUND_ALLOW, ports: settings.OUTBOUND_PORTS })
  return { openTools: createOpenWebhookTools({ client, signer, logger }), close: client.close }
}

import { apiKeyEnv } from '@parlance/clients/api-key'
import { firstAudioVariables } from '@parlance/clients/speech'
import { creditSchema } from '@parlance/contracts'
import { outboundVariables } from '@parlance/egress'
import { publicUrlSchema } from '@parlance/runtime'
import { z } from 'zod'

export const env = apiKeyEnv.extend({
  PORT: z.coerce.number().int().min(0).max(65535).default(8080).describe('the port to listen on, 0 for any free port'),
  HOST: z.string().optional().describe('the address to listen on, such as 127.0.0.1; all addresses when left out'),
  PUBLIC_URL: publicUrlSchema,
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
    .describe(
      'the addresses or networks of proxies before the gateway, such as 10.0.0.0/8,fd00::/8; X-Forwarded-For of others is ignored',
    ),
  DOCS_AGENT_ID: z
    .uuid()
    .optional()
    .describe(
      'the id of a public Agent with which readers of /docs talk; it must allow the origin of this installation',
    ),
  ...firstAudioVariables,
  TRANSCRIPTION_CREDIT_PER_MINUTE: creditSchema
    .default('0.006')
    .describe('what a minute of audio costs to transcribe, such as 0.006'),
  CLIENT_TRACEPARENT: z
    .enum(['continue', 'link'])
    .default('continue')
    .describe(
      'continue, so that a request belongs to the trace of its traceparent header, or link, so that it begins a trace of its own that names the other one',
    ),
  STREAM_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(2_000)
    .describe('how many WebSockets may stream speech from this process at once, and how many may carry conversations'),
  STREAM_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(15_000)
    .describe('how long a stream or a conversation may go on when the process is asked to stop, in ms'),
  HTTP_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(15_000)
    .default(0)
    .describe(
      'how long connections without a request stay open when the process is asked to stop, in ms, so that a request that is on its way is answered',
    ),
  WYOMING_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('the port of the Wyoming protocol, for Home Assistant; off when left out. It requires WYOMING_API_KEY'),
  WYOMING_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('the address to listen on for the Wyoming protocol; every client that reaches it uses WYOMING_API_KEY'),
  WYOMING_API_KEY: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('the API key of the workspace that pays for all clients of the Wyoming protocol'),
  TWILIO_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.twilio.com')
    .describe("the address of Twilio's API, by which telephone calls are transferred, such as that of another region"),
  TELNYX_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.telnyx.com')
    .describe("the address of Telnyx's API, by which telephone calls are transferred"),
  PLIVO_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.plivo.com')
    .describe("the address of Plivo's API, by which telephone calls are transferred"),
  ...outboundVariables,
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000_000)
    .default(6_000)
    .describe('how many requests a workspace may send in a minute, 0 for no limit'),
})
export type GatewayEnv = z.infer<typeof env>

import { modelKeysEnv } from '@parlance/clients/model-keys'
import { firstAudioVariables } from '@parlance/clients/speech'
import { creditSchema } from '@parlance/contracts'
import { z } from 'zod'
import { languageModelEnv } from './llm/language-model-config.js'
import { recordingVariables } from './recording/storage/open-recording-storage.js'
import { recognitionVariables } from './stt/open-recognizers.js'
import { searchVariables } from './tools/web-search/web-search.js'
import { webhookVariables } from './tools/webhook-tools.js'
import { commaSeparated } from './variable-schemas.js'

const port = z.coerce.number().int().min(0).max(65535)

/** Addresses such as `stun:stun.example.com:3478`, separated by commas. */
const urls = (...schemes: readonly string[]) =>
  z
    .string()
    .transform(commaSeparated)
    .refine((list) => list.every((url) => schemes.some((scheme) => url.startsWith(`${scheme}:`))), {
      error: `Each must start with ${schemes.map((scheme) => `${scheme}:`).join(' or ')}.`,
    })

export const env = z.object({
  ...languageModelEnv,
  ...modelKeysEnv,
  ...recognitionVariables,
  ...webhookVariables,
  ...searchVariables,
  ...recordingVariables,
  SESSION_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe('how many conversations this process may have at once'),
  SESSION_DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(15_000)
    .describe(
      'how long conversations may go on when the process is asked to stop, in ms; the end is announced in the last 15 s',
    ),
  SESSION_UDP_ADDRESS: z
    .string()
    .optional()
    .describe('the address to bind for media, such as 0.0.0.0; all when left out'),
  SESSION_UDP_PORT: port.default(0).describe('the UDP port for the media of all conversations, 0 for any that is free'),
  SESSION_ANNOUNCED_ADDRESS: z
    .string()
    .optional()
    .describe('the IP address at which peers reach this machine, where that is not one of its own'),
  STUN_URLS: urls('stun', 'stuns').default([]).describe('addresses such as stun:stun.example.com:3478, by commas'),
  TURN_URLS: urls('turn', 'turns').default([]).describe('addresses such as turn:turn.example.com:3478, by commas'),
  TURN_SECRET: z.string().min(1).optional().describe('the secret that the TURN servers check credentials with'),
  TURN_SECRET_FILE: z.string().min(1).optional().describe('a file with the secret of the TURN servers'),
  TRANSCRIPTION_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('how many files this process transcribes at once; one less than it has cores when left out'),
  TRANSCRIPTION_MAX_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(14_400)
    .default(3_600)
    .describe('how long the audio of a file to transcribe may be, in seconds'),
  SESSION_CREDIT_PER_MINUTE: creditSchema.default('0.05').describe('what a minute of conversation costs, such as 0.05'),
  ...firstAudioVariables,
})
export type SessionsEnv = z.infer<typeof env>

import { z } from 'zod'
import { phoneNumberSchema } from './api/agent-request.js'
import { auditActorSchema } from './audit.js'
import { call, contract } from './contract.js'
import { idSchema, timestampSchema } from './primitives.js'

/** The telephone networks from which calls are taken. */
export const phoneProviderSchema = z.enum(['twilio', 'telnyx', 'plivo'])
export type PhoneProvider = z.infer<typeof phoneProviderSchema>

/** Of `account_sid`. */
const accountForms = {
  twilio: { pattern: /^AC[0-9a-fA-F]{32}$/, error: 'must be "AC" and 32 hexadecimal digits' },
  // Ed25519 in base64. Telnyx signs its requests with the private one.
  telnyx: { pattern: /^[A-Za-z0-9+/]{43}=$/, error: 'must be the public key of the account' },
  plivo: { pattern: /^[MS]A[A-Z0-9]{18}$/, error: 'must be the Auth ID of the account' },
} as const satisfies Record<PhoneProvider, { pattern: RegExp; error: string }>

/** A telephone number and the Agent that answers it. The secret of its account is stored and never shown. */
export const agentPhoneNumberSchema = z.object({
  id: idSchema,
  number: phoneNumberSchema,
  agent_id: idSchema,
  provider: phoneProviderSchema,
  account_sid: z.string().meta({
    description:
      'The account at the provider: the Account SID of Twilio, the public key of Telnyx, or the Auth ID of Plivo.',
  }),
  created_at: timestampSchema,
})
export type AgentPhoneNumber = z.infer<typeof agentPhoneNumberSchema>

export const newPhoneNumberSchema = z
  .strictObject({
    number: phoneNumberSchema,
    agent_id: idSchema,
    provider: phoneProviderSchema.default('twilio'),
    account_sid: agentPhoneNumberSchema.shape.account_sid.trim(),
    auth_token: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{16,200}$/, { error: 'must be the auth token or the API key of the account' })
      .meta({ description: 'The auth token of Twilio or Plivo, or the API key of Telnyx.' }),
  })
  .superRefine(({ provider, account_sid }, { addIssue }) => {
    const { pattern, error } = accountForms[provider]
    if (!pattern.test(account_sid)) addIssue({ code: 'custom', path: ['account_sid'], message: error })
  })

/** A number with what its provider signs requests with, and what it accepts requests with. */
const openedPhoneNumberSchema = agentPhoneNumberSchema
  .pick({ id: true, number: true, agent_id: true, account_sid: true })
  .extend({ workspace_id: idSchema, auth_token: z.string() })
export type OpenedPhoneNumber = z.infer<typeof openedPhoneNumberSchema>

/** The maximum number of telephone numbers of a workspace. */
export const maxPhoneNumbers = 200

/** A number of another workspace is `not_found`, like one that does not exist. */
export const phoneNumbersContract = contract({
  name: 'phone-numbers',
  version: '1.0.0',
  description: 'The telephone numbers that Agents answer',
  methods: {
    /** Oldest first. */
    listNumbers: call({
      request: z.strictObject({ workspace_id: idSchema }),
      reply: z.object({ numbers: z.array(agentPhoneNumberSchema) }),
    }),
    /** `invalid_request` for a number that the workspace has, and for one too many. */
    addNumber: call({
      request: z.strictObject({ workspace_id: idSchema, number: newPhoneNumberSchema, actor: auditActorSchema }),
      reply: agentPhoneNumberSchema,
      errors: ['agent_not_found', 'invalid_request', 'unavailable'],
    }),
    deleteNumber: call({
      request: z.strictObject({ workspace_id: idSchema, number_id: idSchema, actor: auditActorSchema }),
      reply: z.object({}),
      errors: ['not_found'],
    }),
    /**
     * The entries of all workspaces for a number, of an account where the network tells it. Anyone may enter a number: a call
     * belongs to the entry whose account has signed its request.
     */
    openNumbers: call({
      request: z.strictObject({
        provider: phoneProviderSchema,
        number: z.string(),
        account_sid: z.string().optional(),
      }),
      reply: z.object({ numbers: z.array(openedPhoneNumberSchema) }),
    }),
    openNumber: call({
      request: z.strictObject({ workspace_id: idSchema, number_id: idSchema }),
      reply: openedPhoneNumberSchema,
      errors: ['not_found', 'unavailable'],
    }),
  },
})

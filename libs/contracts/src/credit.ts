import { z } from 'zod'
import { creditBalanceSchema } from './api/session-request.js'
import { call, contract } from './contract.js'
import { creditSchema, decimalSchema, idSchema, timestampSchema } from './primitives.js'

/** What was used, in the units of a session's record; what is left out is zero. */
export const usageQuantitiesSchema = z.object({
  tts_characters: z.int().nonnegative().default(0),
  session_seconds: z.number().nonnegative().default(0),
  stt_seconds: z.number().nonnegative().default(0),
  llm_input_tokens: z.int().nonnegative().default(0),
  llm_output_tokens: z.int().nonnegative().default(0),
})
export type UsageQuantities = z.input<typeof usageQuantitiesSchema>

/** Who used what. */
export const usageSchema = z.object({
  kind: z.enum(['tts', 'session']),
  key_id: idSchema.nullable(),
  agent_id: idSchema.nullable(),
  quantities: usageQuantitiesSchema,
})
export type Usage = z.input<typeof usageSchema>

/** A reservation of credit, as its holder knows it. */
export const holdSchema = z.object({
  id: idSchema,
  workspace_id: idSchema,
  /** The lease it was taken from. */
  lease_id: idSchema,
  amount: creditSchema,
})
export type Hold = z.infer<typeof holdSchema>

/** How a hold is to end: `charge` of it (at most its amount) is settled, the rest returns. Without usage it is released. */
export const holdEndingSchema = z.strictObject({
  hold: holdSchema,
  charge: creditSchema,
  usage: usageSchema.nullable(),
})
export type HoldEnding = z.input<typeof holdEndingSchema>

/** How a hold ended, now or before; or why it could not be ended, which asking again does not change. */
export const holdOutcomeSchema = z.union([
  z.object({ resolution: z.enum(['settled', 'released', 'expired']), charged: creditSchema }),
  z.object({ refused: z.string() }),
])
export type HoldOutcome = z.infer<typeof holdOutcomeSchema>

/** Holds that are ended by one request. */
export const mostHoldsEnded = 64

export const usageGroupingSchema = z.enum(['day', 'agent', 'api_key', 'kind'])
export type UsageGrouping = z.infer<typeof usageGroupingSchema>

export const usageReportSchema = z.object({
  from: timestampSchema,
  to: timestampSchema,
  group_by: usageGroupingSchema,
  usage: z.array(
    z.object({
      /** A day (`2026-01-31`, UTC), an id, or a kind; null for what belongs to none. */
      key: z.string().nullable(),
      credit_used: creditSchema,
      operations: z.int().nonnegative(),
      ...usageQuantitiesSchema.shape,
    }),
  ),
})

/** By how much the ledger and what is derived from it differ, for one workspace. All differences must be zero. */
export const reconciliationSchema = z.object({
  workspace_id: idSchema,
  granted: creditSchema,
  available: creditSchema,
  leased: creditSchema,
  held: creditSchema,
  spent: creditSchema,
  /** Balances against the sum of the ledger's entries. */
  ledger_difference: decimalSchema,
  /** The counter against the leases of the ledger; null when there is no counter to compare, which loses nothing. */
  counter_difference: decimalSchema.nullable(),
})
export type Reconciliation = z.infer<typeof reconciliationSchema>

export const creditContract = contract({
  name: 'credit',
  version: '1.0.0',
  description: 'Credit: the ledger, leases of it, and what was used',
  methods: {
    /** Once for each `reference` of a workspace; again with the same amount changes nothing and says so. */
    grant: call({
      request: z.strictObject({
        workspace_id: idSchema,
        amount: creditSchema,
        reference: z.string().min(1).max(200),
      }),
      reply: creditBalanceSchema.extend({ replayed: z.boolean() }),
      errors: ['idempotency_conflict', 'invalid_request'],
    }),
    /** Sees to it that the counter of the workspace can hold `amount` more, as far as there is credit. */
    lease: call({
      request: z.strictObject({ workspace_id: idSchema, amount: creditSchema }),
      reply: z.object({}),
      errors: ['insufficient_credit'],
    }),
    /**
     * Ends holds, of any workspaces; the outcomes stand in the same order. A hold ends once: what it already ended as is the
     * answer, and nothing else happens. One that cannot be ended does not keep the others from it.
     */
    resolve: call({
      request: z.strictObject({ endings: z.array(holdEndingSchema).min(1).max(mostHoldsEnded) }),
      reply: z.object({ outcomes: z.array(holdOutcomeSchema) }),
      errors: ['invalid_request'],
    }),
    /** `insufficient_credit` when nothing at all is left. */
    requireCredit: call({
      request: z.strictObject({ workspace_id: idSchema }),
      reply: z.object({}),
      errors: ['insufficient_credit'],
    }),
    getBalance: call({ request: z.strictObject({ workspace_id: idSchema }), reply: creditBalanceSchema }),
    getUsage: call({
      request: z.strictObject({
        workspace_id: idSchema,
        from: timestampSchema,
        to: timestampSchema,
        group_by: usageGroupingSchema,
      }),
      reply: usageReportSchema,
    }),
    /** Of one workspace, or of all that ever had credit, page by page: `cursor` is the `next_cursor` of the page before. */
    reconcile: call({
      request: z.strictObject({
        workspace_id: idSchema.nullable().default(null),
        limit: z.int().min(1).max(1000).default(1000),
        cursor: idSchema.optional(),
      }),
      reply: z.object({ workspaces: z.array(reconciliationSchema), next_cursor: idSchema.optional() }),
    }),
  },
})

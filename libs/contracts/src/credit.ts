import { z } from 'zod'
import { creditBalanceSchema } from './api/session-request.js'
import { call, contract } from './contract.js'
import { creditSchema, decimalSchema, idSchema, storableTextSchema, timestampSchema } from './primitives.js'

/** Usage in the units of a session's record. A quantity that is left out is zero. */
const usageQuantitiesSchema = z.object({
  tts_characters: z.int().nonnegative().default(0),
  session_seconds: z.number().nonnegative().default(0),
  stt_seconds: z.number().nonnegative().default(0),
  llm_input_tokens: z.int().nonnegative().default(0),
  llm_output_tokens: z.int().nonnegative().default(0),
})

/** The usage that a charge pays for, and the key and the Agent it is attributed to. */
export const usageSchema = z.object({
  kind: z.enum(['tts', 'stt', 'session']),
  key_id: idSchema.nullable(),
  agent_id: idSchema.nullable(),
  quantities: usageQuantitiesSchema,
})
export type Usage = z.input<typeof usageSchema>

/** Credit that is reserved for work. */
const reservationSchema = z.object({
  id: idSchema,
  workspace_id: idSchema,
  /** The lease that the credit belongs to. */
  lease_id: idSchema,
  amount: creditSchema,
})
export type Reservation = z.infer<typeof reservationSchema>

/** The end of a reservation: `charge`, at most its amount, is settled and the rest returned. Without usage it is released. */
const reservationEndSchema = z.strictObject({
  hold: reservationSchema,
  charge: creditSchema,
  usage: usageSchema.nullable(),
})
export type ReservationEnd = z.input<typeof reservationEndSchema>

/** How a reservation ended, by this request or an earlier one; or why it cannot be ended, which is final. */
const reservationOutcomeSchema = z.union([
  z.object({ resolution: z.enum(['settled', 'released', 'expired']), charged: creditSchema }),
  z.object({ refused: z.string() }),
])
export type ReservationOutcome = z.infer<typeof reservationOutcomeSchema>

/** Reservations that one request may end. */
export const maxReservationEnds = 64

export const usageGroupingSchema = z.enum(['day', 'agent', 'api_key', 'kind'])
export type UsageGrouping = z.infer<typeof usageGroupingSchema>

export const usageReportSchema = z.object({
  from: timestampSchema,
  to: timestampSchema,
  group_by: usageGroupingSchema,
  usage: z.array(
    z.object({
      /**
       * A day (`2026-01-31`, UTC), an id, or a kind; null for usage without one; `other` for the sum of the groups beyond
       * the 1,000 of the highest cost.
       */
      key: z.string().nullable(),
      credit_used: creditSchema,
      operations: z.int().nonnegative(),
      ...usageQuantitiesSchema.shape,
    }),
  ),
})

/** Differences between the ledger and the data derived from it, for one workspace. All must be zero. */
const reconciliationSchema = z.object({
  workspace_id: idSchema,
  granted: creditSchema,
  available: creditSchema,
  leased: creditSchema,
  held: creditSchema,
  spent: creditSchema,
  /** The difference between the balances and the sum of the ledger's entries. */
  ledger_difference: decimalSchema,
  /** The difference between the counter and the leases of the ledger; null when there is no counter, which loses no credit. */
  counter_difference: decimalSchema.nullable(),
})
export type Reconciliation = z.infer<typeof reconciliationSchema>

export const creditContract = contract({
  name: 'credit',
  version: '1.2.0',
  description: 'Credit: the ledger, its leases and the usage report',
  methods: {
    /** Takes effect once for each `reference` of a workspace. A repetition with the same amount has `replayed: true`. */
    grant: call({
      request: z.strictObject({
        workspace_id: idSchema,
        amount: creditSchema,
        reference: storableTextSchema.min(1).max(200),
        /** For the audit log. */
        reason: storableTextSchema.min(1).max(200).optional(),
        /** The operator who grants it in the dashboard. */
        person_id: idSchema.optional(),
      }),
      reply: creditBalanceSchema.extend({ replayed: z.boolean() }),
      errors: ['idempotency_conflict', 'invalid_request'],
    }),
    /** Leases credit so that the counter of the workspace can reserve `amount` more. */
    lease: call({
      request: z.strictObject({ workspace_id: idSchema, amount: creditSchema }),
      reply: z.object({}),
      errors: ['insufficient_credit'],
    }),
    /**
     * Ends reservations of any workspaces; the outcomes are in the same order. A reservation ends once: for one that has ended
     * before, the outcome is the earlier one. One that cannot be ended does not prevent the others from ending.
     */
    resolve: call({
      request: z.strictObject({ endings: z.array(reservationEndSchema).min(1).max(maxReservationEnds) }),
      reply: z.object({ outcomes: z.array(reservationOutcomeSchema) }),
      errors: ['invalid_request'],
    }),
    /** Fails with `insufficient_credit` when no credit is left, or when the key has used this much since midnight in UTC. */
    requireCredit: call({
      request: z.strictObject({
        workspace_id: idSchema,
        daily_limit: z.strictObject({ key_id: idSchema, credit: creditSchema }).optional(),
      }),
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
    /** For one workspace, or for all that ever had credit, page by page: `cursor` is the `next_cursor` of the page before. */
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

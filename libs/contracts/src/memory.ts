import { z } from 'zod'
import { call, contract } from './contract.js'
import { idSchema, orderSchema, pageRequestSchema, timestampSchema } from './primitives.js'

const factTextSchema = z.string().min(1).max(500)

/** A fact that an Agent remembers of an end user, and the message that it was extracted from. */
export const memorySchema = z.object({
  id: idSchema,
  agent_id: idSchema,
  text: factTextSchema,
  session_id: idSchema,
  /** Null when the conversation is not stored. */
  message_id: idSchema.nullable(),
  created_at: timestampSchema,
})
export type Memory = z.infer<typeof memorySchema>

const memoryPageSchema = z.object({ memories: z.array(memorySchema), next_cursor: z.string().nullable() })

const endUser = { workspace_id: idSchema, end_user_id: idSchema }
const agentAndEndUser = { ...endUser, agent_id: idSchema }

/** What Agents remember of end users. Facts are never shared between workspaces, Agents or end users. */
export const memoryContract = contract({
  name: 'memory',
  version: '1.0.0',
  description: 'What Agents remember of the people they talk with',
  methods: {
    /** The facts to begin a conversation with, oldest first: the newest that fit into the token budget. */
    recall: call({
      request: z.strictObject({ ...agentAndEndUser, token_budget: z.int().min(0).max(32_000) }),
      reply: z.object({ facts: z.array(z.object({ id: idSchema, text: factTextSchema })) }),
    }),
    /**
     * Stores facts from a conversation. Facts from messages before the last `forget` of the user are dropped, and so are facts
     * that are already stored.
     */
    remember: call({
      request: z.strictObject({
        ...agentAndEndUser,
        session_id: idSchema,
        facts: z
          .array(z.strictObject({ text: factTextSchema, message_id: idSchema.nullable(), said_at: timestampSchema }))
          .max(50),
      }),
      reply: z.object({ kept: z.int().nonnegative() }),
    }),
    listMemories: call({
      request: z.strictObject({
        ...endUser,
        ...pageRequestSchema.shape,
        order: orderSchema.default('desc'),
        agent_id: idSchema.optional(),
      }),
      reply: memoryPageSchema,
      errors: ['invalid_request'],
    }),
    /** Deletes what one Agent, or every Agent of the workspace, remembers of the user. */
    forget: call({
      request: z.strictObject({ ...endUser, agent_id: idSchema.optional() }),
      reply: z.object({ forgotten: z.int().nonnegative() }),
    }),
  },
})

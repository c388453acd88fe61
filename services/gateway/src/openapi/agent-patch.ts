import { agentConfigSchema } from '@parlance/contracts'
import { z } from 'zod'

type Fields = Readonly<Record<string, z.ZodType>>

/** Fields with a default accept null, which restores the default. */
const clearable = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (!(field instanceof z.ZodDefault || field instanceof z.ZodPrefault)) return [name, field]
      const inner = field.unwrap() as z.ZodType
      return [
        name,
        (inner instanceof z.ZodObject ? z.strictObject(clearable(inner.shape)) : inner).nullable().optional(),
      ]
    }),
  )

/** The body of `PATCH /v1/agents/{agentId}`, as `mergeAgentConfig` and `agentConfigSchema` together accept it. */
export const agentPatch = z
  .strictObject(clearable(agentConfigSchema.shape))
  .partial()
  .meta({ id: 'AgentPatch', description: 'Every field may be left out; null resets a field to its default.' })

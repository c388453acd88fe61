import { agentConfigSchema, agentSchema, publicationSchema } from '@parlance/contracts'
import { z } from 'zod'
import { ifMatchPattern } from '../http/revision-etag.js'

export const agent = agentSchema.meta({ id: 'Agent' })
export const agentConfig = agentConfigSchema.meta({ id: 'AgentConfig' })
export const publication = publicationSchema.meta({ id: 'Publication' })

/** The response headers of an Agent. */
export const etagHeader = { etag: z.string().meta({ description: 'Of the draft revision.', example: '"rev-3"' }) }

/** The request headers of what changes an Agent. */
export const ifMatchHeader = z.object({
  'if-match': z
    .string()
    .regex(ifMatchPattern)
    .optional()
    .meta({ description: 'The `ETag` that the Agent must still have.', example: '"rev-3"' }),
})

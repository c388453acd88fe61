import { idSchema, sha256Schema } from '@parlance/contracts'
import { z } from 'zod'

/** Where a conversation is, and whose it is. */
export const sessionPlaceSchema = z.object({
  instance_id: z.string(),
  workspace_id: idSchema,
  agent_id: idSchema,
  /** The key that minted the token. */
  key_id: idSchema,
  /** Of the token that started it: who holds the token may go on with it. */
  token_sha256: sha256Schema,
})
export type SessionPlace = z.infer<typeof sessionPlaceSchema>

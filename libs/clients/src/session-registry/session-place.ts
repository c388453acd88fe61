import { idSchema, sha256Schema } from '@parlance/contracts'
import { z } from 'zod'

/** The instance of a conversation, and the workspace, Agent and keys it belongs to. */
export const sessionPlaceSchema = z.object({
  instance_id: z.string(),
  workspace_id: idSchema,
  agent_id: idSchema,
  /** The key that minted the token. */
  key_id: idSchema,
  /** Of the session token that started it; its holder may continue the conversation. */
  token_sha256: sha256Schema,
})
export type SessionPlace = z.infer<typeof sessionPlaceSchema>

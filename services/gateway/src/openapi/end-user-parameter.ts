import { z } from 'zod'

/** The parameter of every path under `/v1/end-users/{endUserId}`, described. */
export const endUserParameter = z.object({
  endUserId: z.uuid().meta({ description: 'The `end_user_id` that session tokens are minted with.' }),
})

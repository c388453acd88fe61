import type { Service } from '@parlance/runtime'
import { z } from 'zod'

/** What is kept of the people that Agents talk with. */
export const endUsers: Service = {
  name: 'end-users',
  needs: ['bus', 'database'],
  databases: [],
  env: z.object({}),

  async start() {
    return { ready: async () => true, stop: async () => {} }
  },
}

import type { Service } from '@parlance/runtime'
import { z } from 'zod'

/** Live conversations: answers nothing yet. */
export const sessions: Service = {
  name: 'sessions',
  needs: ['bus', 'ttl', 'database'],
  env: z.object({}),
  start: async ({ bus }) => ({ ready: () => bus.connected(), stop: async () => {} }),
}

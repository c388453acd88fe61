import type { Service } from '@parlance/runtime'
import { z } from 'zod'
import { memorySchema } from './memory/memory-schema.js'
import { startMemory } from './memory/start-memory.js'

/** What is kept of the people that Agents talk with. */
export const endUsers: Service = {
  name: 'end-users',
  needs: ['bus', 'database'],
  databases: [memorySchema],
  env: z.object({}),

  async start(platform) {
    const memory = await startMemory(platform)
    return { ready: () => memory.ready(), stop: () => memory.stop() }
  },
}

import { serve } from '@parlance/bus'
import { memoryContract } from '@parlance/contracts'
import type { Platform, RunningService } from '@parlance/runtime'
import type { DatabaseSchema } from '@parlance/store'
import { createMemoryHandlers } from './memory-handlers.js'
import { createMemoryRepository } from './memory-repository.js'

export const memorySchema: DatabaseSchema = {
  schema: 'memory',
  migrations: new URL('../../migrations/memory/', import.meta.url),
}

/** Serves `memoryContract` until it is stopped. */
export const startMemory = async (platform: Platform): Promise<RunningService> => {
  const database = await platform.openDatabase(memorySchema)
  const handlers = createMemoryHandlers(createMemoryRepository(database))
  const served = await serve(platform.bus, memoryContract, handlers, platform)
  return {
    ready: () => database.ready(),
    async stop() {
      await served.stop()
      await database.close()
    },
  }
}

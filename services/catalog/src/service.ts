import { createClient, serve } from '@parlance/bus'
import { catalogContract } from '@parlance/contracts'
import type { Service } from '@parlance/runtime'
import { z } from 'zod'
import { createAvatarDirectory } from './avatar-directory.js'
import { createHandlers } from './handlers.js'
import { createVoiceDirectory } from './voice-directory.js'

export const catalog: Service = {
  name: 'catalog',
  needs: ['bus'],
  metrics: ['bus'],
  env: z.object({}),

  async start({ bus, instanceId, logger, metrics, tracing }) {
    const voices = createVoiceDirectory({ nowMs: () => performance.now(), connected: bus.connected })
    const client = createClient(bus, catalogContract)
    const offers = client.voicesOffered.subscribe(({ instance_id, engine, part, synthesis, voices: offered }) =>
      voices.offer({ instanceId: instance_id, engine, synthesis, part }, offered),
    )
    const handlers = createHandlers(voices, createAvatarDirectory())
    const served = await serve(bus, catalogContract, handlers, { instanceId, logger, metrics, tracing })
    client.voicesWanted.publish({})
    const stopListening = bus.onReconnect(() => {
      voices.reconnected()
      client.voicesWanted.publish({})
    })

    return {
      ready: () => bus.connected(),
      async stop() {
        stopListening()
        await served.stop()
        offers.unsubscribe()
      },
    }
  },
}

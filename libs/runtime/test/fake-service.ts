import { z } from 'zod'
import type { Need, Service } from '../src/index.js'

export interface FakeOptions {
  needs?: readonly Need[]
  env?: z.ZodType
  onStart?: () => unknown
  onDrain?: () => unknown
  onStop?: () => unknown
  ready?: () => boolean | Promise<boolean>
}

/** A service that appends its steps to `events`. */
export const fakeService = (name: string, events: string[], options: FakeOptions = {}): Service => ({
  name,
  needs: options.needs ?? [],
  env: options.env ?? z.object({}),
  async start() {
    events.push(`start ${name}`)
    await options.onStart?.()
    return {
      ready: options.ready ?? (() => true),
      ...(options.onDrain && {
        async drain() {
          events.push(`drain ${name}`)
          await options.onDrain?.()
          events.push(`drained ${name}`)
        },
      }),
      async stop() {
        events.push(`stop ${name}`)
        await options.onStop?.()
      },
    }
  },
})

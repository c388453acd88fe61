import type { Service } from '@parlance/runtime'
import { z } from 'zod'
import { banner } from './banner.js'
import { openDevelopmentKey } from './development-key.js'
import { findVoiceForGreeting } from './voice-for-greeting.js'

export interface DevelopmentOptions {
  dataFolder: string
  /** Where the API is reached. */
  url: string
}

/**
 * Started after all others, as one of them so that a failure ends the whole as theirs would: makes the key that one
 * needs to try things, and tells how.
 */
export const createDevelopment = ({ dataFolder, url }: DevelopmentOptions): Service => ({
  name: 'development',
  needs: [],
  env: z.object({}),
  async start({ bus }) {
    const accepts = async (apiKey: string) => {
      const response = await fetch(`${url}/v1/voices`, { headers: { authorization: `Bearer ${apiKey}` } })
      await response.body?.cancel()
      return response.status !== 401
    }
    const voice = await findVoiceForGreeting(bus)
    const found = await openDevelopmentKey({ bus, dataFolder, url, accepts })
    console.log(banner({ ...found, voiceId: voice?.id }))
    return { ready: () => true, stop: () => Promise.resolve() }
  },
})

import { createClient } from '@parlance/bus'
import { creditContract } from '@parlance/contracts'
import type { Service } from '@parlance/runtime'
import { z } from 'zod'
import { banner } from './banner.js'
import { openDevelopmentKey } from './development-key.js'
import { openOwnerLink } from './first-owner.js'
import { findVoiceForGreeting } from './voice-for-greeting.js'

/** Given once to a workspace, however often we start. */
const credit = { amount: '1000', reference: 'development' }

export interface DevelopmentOptions {
  dataFolder: string
  /** Where the API is reached. */
  url: string
}

/**
 * Started after all others, as one of them so that a failure ends the whole as theirs would: makes the key, the Owner
 * and the credit for trying the API, and prints how.
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
    const { balance } = await createClient(bus, creditContract).grant({
      workspace_id: found.key.workspace_id,
      ...credit,
    })
    const ownerLink = await openOwnerLink({ bus, workspaceId: found.key.workspace_id, url })
    console.log(banner({ ...found, voiceId: voice?.id, balance, ownerLink }))
    return { ready: () => true, stop: () => Promise.resolve() }
  },
})

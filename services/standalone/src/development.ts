import { createClient } from '@parlance/bus'
import { creditContract, modelProvidersContract } from '@parlance/contracts'
import type { Platform, Service } from '@parlance/runtime'
import { z } from 'zod'
import { banner } from './banner.js'
import { openDevelopmentKey } from './development-key.js'
import { openOwnerLink } from './first-owner.js'
import type { ModelInstaller, OpenModelInstaller } from './models/model-installer.js'
import { findVoiceForGreeting } from './voice-for-greeting.js'

/** Given once to a workspace, however often we start. */
const credit = { amount: '1000', reference: 'development' }

export interface DevelopmentOptions {
  dataFolder: string
  /** Where the API is reached. */
  url: string
  /** Undefined where models are not managed here. */
  openInstaller: OpenModelInstaller | undefined
}

/** What is missing for a good conversation. What cannot be found out is not missing. */
const findOpenSteps = async (
  bus: Platform['bus'],
  workspaceId: string,
  installer: ModelInstaller | undefined,
): Promise<string[]> => {
  const providers = createClient(bus, modelProvidersContract)
  const [models, hasLanguageModel] = await Promise.all([
    installer?.list().catch(() => undefined),
    Promise.all([providers.listProviders({ workspace_id: workspaceId }), providers.findModelServers({})]).then(
      ([own, servers]) => own.providers.length + servers.configured.length > 0,
      () => true,
    ),
  ])
  const isMissing = (wanted: 'tts' | 'stt') => models?.every(({ kind }) => kind !== wanted) === true
  return [
    ...(isMissing('tts') ? ['a natural voice'] : []),
    ...(isMissing('stt') ? ['a recognizer'] : []),
    ...(hasLanguageModel ? [] : ['a language model']),
  ]
}

/**
 * Started after all others, as one of them so that a failure ends the whole as theirs would: makes the key, the Owner
 * and the credit for trying the API, and prints how.
 */
export const createDevelopment = ({ dataFolder, url, openInstaller }: DevelopmentOptions): Service => ({
  name: 'development',
  needs: [],
  env: z.object({}),
  async start({ bus, logger }) {
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
    const openSteps = await findOpenSteps(bus, found.key.workspace_id, openInstaller?.(logger))
    console.log(banner({ ...found, voiceId: voice?.id, balance, ownerLink, openSteps }))
    return { ready: () => true, stop: () => Promise.resolve() }
  },
})

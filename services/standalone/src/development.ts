import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, createClient } from '@parlance/bus'
import { catalogContract, creditContract, modelProvidersContract, ServiceError, type Voice } from '@parlance/contracts'
import type { Platform, Service } from '@parlance/runtime'
import { z } from 'zod'
import { banner } from './banner.js'
import { openDevelopmentKey, startDeadline } from './development-key.js'
import { openOwnerLink } from './first-owner.js'
import type { ModelInstaller, OpenModelInstaller } from './models/model-installer.js'

const waitMs = 30_000
const askEveryMs = 50

/** The greeting is an English sentence. If no voice speaks English, one that mispronounces it still shows that speech works. */
const preferences = [{ language: 'en-US' }, { language: 'en' }, {}]

/** No engine has announced its voices yet. */
const noneYet = (error: unknown): Voice[] => {
  if (error instanceof ServiceError && error.code === 'unavailable') return []
  throw error
}

/** The best voice for an English sentence, once an engine offers any; undefined when none does within half a minute. */
const findVoiceForGreeting = async (bus: Bus): Promise<Voice | undefined> => {
  const catalog = createClient(bus, catalogContract)
  const giveUpAtMs = performance.now() + waitMs
  while (performance.now() < giveUpAtMs) {
    for (const preference of preferences) {
      const voices = await catalog.listVoices(preference).then((page) => page.voices, noneYet)
      const voice = voices.find(({ status }) => status === 'available')
      if (voice !== undefined) return voice
    }
    await delay(askEveryMs)
  }
  return undefined
}

/** Granted once to a workspace, however often it is started. */
const credit = { amount: '1000', reference: 'development' }

/** The installer reads it. It is checked here, so that the process does not start with a wrong one. */
const env = z.object({
  /** A URL under which the files of models are instead, each by the last segment of its own URL. */
  PARLANCE_MODELS_MIRROR: z.url({ protocol: /^https?$/ }).optional(),
})

interface DevelopmentOptions {
  dataFolder: string
  /** The URL of the API. */
  url: string
  /** Undefined when models are not managed here. */
  openInstaller: OpenModelInstaller | undefined
}

/** What is missing for a good conversation. What cannot be checked does not count as missing. */
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
 * Starts after all services: creates the key, the Owner and the credit to try the API with, and prints how to. It is a service,
 * so that its failure ends the process.
 */
export const createDevelopment = ({
  dataFolder,
  url,
  openInstaller,
}: DevelopmentOptions): Service<z.output<typeof env>> => ({
  name: 'development',
  needs: [],
  env,
  async start({ bus, logger }) {
    const accepts = async (apiKey: string) => {
      const response = await fetch(`${url}/v1/voices`, { headers: { authorization: `Bearer ${apiKey}` } })
      await response.body?.cancel()
      return response.status !== 401
    }
    const voice = await findVoiceForGreeting(bus)
    const found = await openDevelopmentKey({ bus, dataFolder, url, accepts })
    const grant = { workspace_id: found.key.workspace_id, ...credit }
    const { balance } = await createClient(bus, creditContract).grant(grant, startDeadline)
    const ownerLink = await openOwnerLink({ bus, workspaceId: found.key.workspace_id, url })
    const installer = openInstaller?.(logger)
    const openSteps = await findOpenSteps(bus, found.key.workspace_id, installer)
    console.log(banner({ ...found, voiceId: voice?.id, balance, ownerLink, openSteps }))
    return { ready: () => true, stop: async () => installer?.stop() }
  },
})

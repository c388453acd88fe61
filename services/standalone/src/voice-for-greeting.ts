import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, createClient } from '@parlance/bus'
import { catalogContract, ServiceError, type Voice } from '@parlance/contracts'

const waitMs = 30_000
const askEveryMs = 50

/** The greeting is an English sentence. Where no voice speaks English, one that mispronounces it still shows that speech works. */
const preferences = [{ language: 'en-US' }, { language: 'en' }, {}]

/** No engine has announced its voices yet. */
const noneYet = (error: unknown): Voice[] => {
  if (error instanceof ServiceError && error.code === 'unavailable') return []
  throw error
}

/** The best voice for an English sentence, as soon as an engine offers any; undefined when none does in half a minute. */
export const findVoiceForGreeting = async (bus: Bus): Promise<Voice | undefined> => {
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

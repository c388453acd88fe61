import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, createClient } from '@parlance/bus'
import { catalogContract, type Voice } from '@parlance/contracts'

const waitMs = 30_000
const askEveryMs = 50

/** The earlier in this list, the better it fits an English sentence. */
const preference = [/^en-US$/i, /^en\b/i, /^/]

const best = (voices: readonly Voice[]): Voice | undefined =>
  preference.flatMap((language) => voices.filter((voice) => language.test(voice.languages[0] ?? '')))[0]

/** A voice that can say an English sentence, as soon as an engine offers one; undefined if none does in half a minute. */
export const findVoiceForGreeting = async (bus: Bus): Promise<Voice | undefined> => {
  const catalog = createClient(bus, catalogContract)
  const giveUpAtMs = performance.now() + waitMs
  while (performance.now() < giveUpAtMs) {
    const { voices } = await catalog.listVoices({})
    const voice = best(voices.filter(({ status }) => status === 'available'))
    if (voice !== undefined) return voice
    await delay(askEveryMs)
  }
  return undefined
}

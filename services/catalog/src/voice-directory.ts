import type { OfferedVoice, Voice } from '@parlance/contracts'
import type { Sorted } from './page.js'

/** Engines repeat their offer every five seconds; one that has missed two is taken to be gone. */
export const offerLifetimeMs = 15_000

export interface VoiceDirectory {
  /** What one engine process can speak from now on, in place of what it offered before. */
  offer(instanceId: string, voices: readonly OfferedVoice[]): void
  /** All that is on offer now, in order. `version` changes exactly when the list does. */
  snapshot(): { version: number; sorted: readonly Sorted<Voice>[] }
  /** By id, or by display name in any case. */
  find(name: string): Voice | undefined
}

interface Offer {
  readonly voices: readonly OfferedVoice[]
  readonly fingerprint: string
  expiresAtMs: number
}

/** The voices that running engines offer, each once, with the variants of all who speak it. */
export const createVoiceDirectory = (nowMs: () => number): VoiceDirectory => {
  const offers = new Map<string, Offer>()
  let version = 0
  let sorted: readonly Sorted<Voice>[] = []
  let byName = new Map<string, Voice>()

  const rebuild = () => {
    version += 1
    sorted = merge([...offers.values()].map(({ voices }) => voices))
    byName = new Map([
      ...sorted.map(({ item }) => [item.display_name.toLowerCase(), item] as const),
      // Last, so that no display name hides an id.
      ...sorted.map(({ item }) => [item.id, item] as const),
    ])
  }

  const forgetExpired = () => {
    const now = nowMs()
    const expired = [...offers].filter(([, { expiresAtMs }]) => expiresAtMs <= now)
    for (const [instanceId] of expired) offers.delete(instanceId)
    if (expired.length > 0) rebuild()
  }

  return {
    offer(instanceId, voices) {
      const known = offers.get(instanceId)
      const fingerprint = JSON.stringify(voices)
      const expiresAtMs = nowMs() + offerLifetimeMs
      if (known?.fingerprint === fingerprint) {
        known.expiresAtMs = expiresAtMs
        return
      }
      if (voices.length > 0) offers.set(instanceId, { voices, fingerprint, expiresAtMs })
      else offers.delete(instanceId)
      rebuild()
    },
    snapshot() {
      forgetExpired()
      return { version, sorted }
    },
    find(name) {
      forgetExpired()
      return byName.get(name.toLowerCase())
    },
  }
}

const merge = (offers: readonly (readonly OfferedVoice[])[]): Sorted<Voice>[] => {
  const byId = new Map<string, OfferedVoice>()
  for (const voice of offers.flat()) {
    const known = byId.get(voice.id)
    byId.set(voice.id, known === undefined ? voice : { ...known, variants: unite(known, voice) })
  }
  return [...byId.values()]
    .map((voice) => ({ sortKey: sortKeyOf(voice), item: { ...voice, status: 'available' as const } }))
    .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
}

const unite = (known: OfferedVoice, other: OfferedVoice) => [
  ...known.variants,
  ...other.variants.filter(({ id }) => known.variants.every((variant) => variant.id !== id)),
]

/** People look for a language first, then for a name. */
const sortKeyOf = ({ languages, display_name, id }: OfferedVoice) => `${languages[0]}\u0000${display_name}\u0000${id}`

import {
  isSlowVoice,
  type OfferedVoice,
  type OfferingEngine,
  type RoutedVoice,
  type SynthesisMethod,
  synthesisMethods,
  type Voice,
} from '@parlance/contracts'
import { createAnnouncements } from './announcements.js'
import type { Sorted } from './handlers.js'
import { openaiVoices } from './openai-voices.js'

/** The voices that one worker offers for one engine. */
interface EngineOffer {
  readonly instanceId: string
  readonly engine: string
  readonly synthesis: SynthesisMethod
  readonly voices: readonly OfferedVoice[]
}

/** The engines of these offers by name, with the workers that run each and the voices that it speaks. */
const enginesOf = (offers: readonly EngineOffer[]): OfferingEngine[] =>
  [...new Set(offers.map(({ engine }) => engine))].sort().map((name) => {
    const ofEngine = offers.filter(({ engine }) => engine === name)
    return {
      name,
      synthesis: ofEngine[0]!.synthesis,
      workers: new Set(ofEngine.map(({ instanceId }) => instanceId)).size,
      voices: new Set(ofEngine.flatMap(({ voices }) => voices.map(({ id }) => id))).size,
    }
  })

/** Engines repeat their offer every five seconds. One that has missed two is assumed to have stopped. */
export const offerLifetimeMs = 15_000

/** The source of an offer: an engine of a worker. An engine with very many voices offers them in parts. */
interface OfferSource {
  readonly instanceId: string
  readonly engine: string
  readonly synthesis: SynthesisMethod
  readonly part: number
}

interface ListedVoice extends Sorted<Voice> {
  /** The most natural method of the engines that speak the voice. */
  readonly synthesis: SynthesisMethod
}

interface VoiceDirectoryOptions {
  /** A monotonic clock, in ms. */
  nowMs(): number
  /** Whether offers can be received now. While they cannot, no offer expires. */
  connected(): boolean
}

interface Offer {
  readonly instanceId: string
  readonly engine: string
  readonly synthesis: SynthesisMethod
  readonly voices: readonly OfferedVoice[]
  readonly fingerprint: string
  expiresAtMs: number
}

/** The voices that running engines offer. Each is listed once, with the variants of all its engines. */
export const createVoiceDirectory = ({ nowMs, connected }: VoiceDirectoryOptions) => {
  const offers = new Map<string, Offer>()
  const announcements = createAnnouncements(nowMs)
  let version = 0
  let sorted: readonly ListedVoice[] = []
  let byName = new Map<string, RoutedVoice>()

  const rebuild = () => {
    version += 1
    const quality = qualities(offers.values())
    const voices = merge([...offers.values()])
      .map((item) => ({ sortKey: sortKeyOf(item, quality.get(item.id)!.rank), item }))
      .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
    sorted = voices.map(({ sortKey, item }) => {
      return { sortKey, item: withoutEngines(item), synthesis: quality.get(item.id)!.synthesis }
    })
    const ranked = voices.map(({ item }) => ({ voice: item, quality: quality.get(item.id)!.rank }))
    byName = new Map([
      // First, so that a voice with one of OpenAI's names hides that name.
      ...openaiVoices(ranked),
      ...voices.map(({ item }) => [item.display_name.toLowerCase(), item] as const),
      // Last, so that no display name hides an id.
      ...voices.map(({ item }) => [item.id, item] as const),
    ])
  }

  const removeExpired = () => {
    if (!connected()) return
    const now = nowMs()
    const expired = [...offers].filter(([, { expiresAtMs }]) => expiresAtMs <= now)
    for (const [key] of expired) offers.delete(key)
    if (expired.length > 0) rebuild()
  }

  return {
    /** Replaces the voices that a source offered before. */
    offer({ instanceId, engine, synthesis, part }: OfferSource, voices: readonly OfferedVoice[]): void {
      const key = `${instanceId} ${engine} ${part}`
      announcements.received(key)
      const known = offers.get(key)
      const fingerprint = JSON.stringify({ synthesis, voices })
      const expiresAtMs = nowMs() + offerLifetimeMs
      if (known?.fingerprint === fingerprint) {
        known.expiresAtMs = expiresAtMs
        return
      }
      if (voices.length === 0) {
        if (offers.delete(key)) rebuild()
        return
      }
      offers.set(key, { instanceId, engine, synthesis, voices, fingerprint, expiresAtMs })
      rebuild()
    },
    /** All voices on offer, the best first. `version` changes when the list changes, and when it becomes incomplete. */
    snapshot(): { version: number; sorted: readonly ListedVoice[] } {
      removeExpired()
      return { version, sorted }
    },
    /** By id, by display name in any case, or by OpenAI's name of a voice, which always matches while there are voices. */
    find(name: string): RoutedVoice | undefined {
      removeExpired()
      return byName.get(name.toLowerCase())
    },
    /** The engines that offer voices, by name. */
    engines(): OfferingEngine[] {
      removeExpired()
      return enginesOf([...offers.values()])
    },
    /** Whether all running engines have offered their voices. Until then, a voice that is not here may exist. */
    complete: announcements.complete,
    /** Called when the bus is connected again. Restarts the lifetime of all offers, since repetitions may have been lost. */
    reconnected(): void {
      announcements.reconnected(offers.keys())
      const expiresAtMs = nowMs() + offerLifetimeMs
      for (const offer of offers.values()) offer.expiresAtMs = expiresAtMs
      version += 1
    },
  }
}

export type VoiceDirectory = ReturnType<typeof createVoiceDirectory>

/** The path of a sample of a voice whose engine has no preview. */
const previewUrlOf = ({ id, preview_url }: Pick<OfferedVoice, 'id' | 'preview_url'>): string =>
  preview_url ?? `/v1/voices/${id}/preview`

/** Merges the offers of a voice. When two engines have the same variant of it, the one that offered it first speaks it. */
const merge = (offers: readonly Offer[]): RoutedVoice[] => {
  const byId = new Map<string, RoutedVoice>()
  for (const { engine, voices } of offers) {
    for (const { variants, ...voice } of voices) {
      const known = byId.get(voice.id)
      const added = variants
        .filter(({ id }) => !known?.variants.some((variant) => variant.id === id))
        .map((variant) => ({ ...variant, engine }))
      if (known === undefined) {
        byId.set(voice.id, { ...voice, preview_url: previewUrlOf(voice), status: 'available', variants: added })
      } else known.variants.push(...added)
    }
  }
  return [...byId.values()]
}

const withoutEngines = ({ variants, ...voice }: RoutedVoice): Voice => ({
  ...voice,
  variants: variants.map(({ engine: _, ...variant }) => variant),
})

interface Quality {
  readonly synthesis: SynthesisMethod
  /** The lowest is the best. That of a voice whose speech has gaps is the highest, so that nothing chooses it by default. */
  readonly rank: number
}

/** The best rank of each voice's engines. */
const qualities = (offers: Iterable<Offer>): Map<string, Quality> => {
  const found = new Map<string, Quality>()
  for (const { synthesis, voices } of offers) {
    const methodRank = synthesisMethods.indexOf(synthesis)
    for (const { id, tags } of voices) {
      const rank = isSlowVoice({ tags }) ? synthesisMethods.length : methodRank
      const known = found.get(id) ?? { synthesis, rank }
      const isMoreNatural = methodRank < synthesisMethods.indexOf(known.synthesis)
      found.set(id, {
        synthesis: isMoreNatural ? synthesis : known.synthesis,
        rank: Math.min(rank, known.rank),
      })
    }
  }
  return found
}

/** By quality, then by language, then by name. */
const sortKeyOf = ({ languages, display_name, id }: RoutedVoice, quality: number) =>
  [quality, languages[0], display_name, id].join('\u0000')

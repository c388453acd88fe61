import type { CallContext, Client } from '@parlance/bus'
import { type catalogContract, chosenVariant, type RoutedVoice, type SynthesisRequest } from '@parlance/contracts'
import { LRUCache } from 'lru-cache'

type VoiceFinder = Pick<Client<typeof catalogContract>, 'findVoice'>

interface VoicePricesOptions {
  catalog: VoiceFinder
  /** Lifetime of a cached voice, in ms. A voice in use is refreshed after half of it. */
  keptMs?: number
}

/** A voice and one of its variants, with its price, its formats and its engine, which is the lane for requests. */
interface VoicePrice {
  readonly voice: RoutedVoice
  readonly variant: RoutedVoice['variants'][number]
}

/**
 * Finds the variant of a request, its price and its engine. Rejects with `voice_not_found`, with `invalid_request` for a
 * variant that the voice does not have, and as calls do.
 */
export type VoicePrices = (
  request: Pick<SynthesisRequest, 'voice' | 'variant'>,
  context: CallContext,
) => Promise<VoicePrice>

const maxKept = 1_000
const findDeadlineMs = 3_000

interface LookUp {
  readonly voice: Promise<RoutedVoice>
  readonly askedAtMs: number
  beingRenewed: boolean
}

/**
 * Keeps voices for `keptMs`, so that speech need not wait for the catalog before its credit is reserved. A look-up
 * rejects with `voice_not_found` or `unavailable`.
 */
export const createVoicePrices = ({ catalog, keptMs = 10_000 }: VoicePricesOptions): VoicePrices => {
  const kept = new LRUCache<string, LookUp>({ max: maxKept, ttl: keptMs })

  const ask = (spelling: string, context: CallContext): LookUp => ({
    voice: catalog.findVoice({ voice: spelling }, { context, deadlineMs: findDeadlineMs }),
    askedAtMs: performance.now(),
    beingRenewed: false,
  })
  const keep = (name: string, asked: LookUp) => kept.set(name, asked, { start: asked.askedAtMs })

  const find = (spelling: string, context: CallContext): Promise<RoutedVoice> => {
    const name = spelling.toLowerCase()
    const found = kept.get(name)
    if (found === undefined) {
      const asked = ask(spelling, context)
      keep(name, asked)
      asked.voice.catch(() => {
        if (kept.peek(name) === asked) kept.delete(name)
      })
      return asked.voice
    }
    if (kept.getRemainingTTL(name) < keptMs / 2 && !found.beingRenewed) {
      found.beingRenewed = true
      const asked = ask(spelling, context)
      asked.voice.then(
        () => keep(name, asked),
        // The voice found before is used for a while longer. After that it is looked up again, and the failure is passed on.
        () => undefined,
      )
    }
    return found.voice
  }

  return async ({ voice: spelling, variant }, context) => {
    const voice = await find(spelling, context)
    return { voice, variant: chosenVariant(voice, variant) }
  }
}

import type { CallContext, Client } from '@parlance/bus'
import {
  type AudioOutput,
  type catalogContract,
  isSlowVoice,
  type RoutedVoice,
  ServiceError,
  type SynthesisRequest,
  spokenLanguage,
} from '@parlance/contracts'

export type VoiceFinder = Pick<Client<typeof catalogContract>, 'findVoice'>

export interface VoicePricesOptions {
  catalog: VoiceFinder
  /** How long a voice is taken to be as it was found, in ms. One that is in use is looked up anew at half of it. */
  keptMs?: number
}

export interface VoicePrice {
  /** The voice's id, however it was asked for. */
  readonly voice: string
  readonly variant: string
  /** Speaks the variant: the lane in which it is asked for. */
  readonly engine: string
  readonly displayName: string
  /** BCP 47 tags, the main one first. */
  readonly languages: readonly string[]
  /** Whether it speaks slower than real time. */
  readonly isSlow: boolean
  readonly formats: readonly AudioOutput['format'][]
  /** Decimal text. */
  readonly creditPer1kCharacters: string
}

/**
 * The variant that a request means, what it costs and who speaks it. Rejects with `voice_not_found`, with `invalid_request` for a
 * variant that the voice does not have, and as calls do.
 */
export type VoicePrices = (
  request: Pick<SynthesisRequest, 'voice' | 'variant'>,
  context: CallContext,
) => Promise<VoicePrice>

const maxKept = 1_000
const findDeadlineMs = 3_000

interface Found {
  readonly voice: Promise<RoutedVoice>
  readonly askedAtMs: number
  beingRenewed: boolean
}

/**
 * Keeps voices for `keptMs`, so that a speech does not wait for the catalog before its credit is reserved. A look-up
 * rejects with `voice_not_found` or `unavailable`.
 */
export const createVoicePrices = ({ catalog, keptMs = 10_000 }: VoicePricesOptions): VoicePrices => {
  /** The one asked for longest ago is the first. */
  const kept = new Map<string, Found>()

  const ask = (spelling: string, context: CallContext): Found => ({
    voice: catalog.findVoice({ voice: spelling }, { context, deadlineMs: findDeadlineMs }),
    askedAtMs: performance.now(),
    beingRenewed: false,
  })
  const keep = (name: string, found: Found): void => {
    kept.delete(name)
    kept.set(name, found)
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  }

  const find = (spelling: string, context: CallContext): Promise<RoutedVoice> => {
    const name = spelling.toLowerCase()
    const found = kept.get(name)
    const ageMs = found === undefined ? Number.POSITIVE_INFINITY : performance.now() - found.askedAtMs
    if (found === undefined || ageMs > keptMs) {
      const asked = ask(spelling, context)
      keep(name, asked)
      asked.voice.catch(() => {
        if (kept.get(name) === asked) kept.delete(name)
      })
      return asked.voice
    }
    if (ageMs > keptMs / 2 && !found.beingRenewed) {
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

  return async ({ voice, variant }, context) => {
    const found = await find(voice, context)
    const { id: voiceId, display_name, languages, variants } = found
    const chosen = variant === null ? variants[0] : variants.find(({ id }) => id === variant)
    if (chosen !== undefined) {
      return {
        voice: voiceId,
        variant: chosen.id,
        engine: chosen.engine,
        displayName: display_name,
        languages,
        isSlow: isSlowVoice(found),
        formats: chosen.formats,
        creditPer1kCharacters: chosen.credit_per_1k_characters,
      }
    }
    const known = variants.map(({ id }) => id).join(', ')
    throw new ServiceError('invalid_request', `tts_variant: the voice ${display_name} has ${known}`)
  }
}

/**
 * Returns the voice's own tag for a language, the main one for null. Throws `invalid_request`, naming the languages that there
 * are, when the voice does not speak it.
 */
export const languageOf = (
  { displayName, languages }: Pick<VoicePrice, 'displayName' | 'languages'>,
  wanted: string | null,
): string => {
  const spoken = spokenLanguage(languages, wanted)
  if (spoken !== undefined) return spoken
  throw new ServiceError('invalid_request', `language: the voice ${displayName} speaks ${languages.join(', ')}`)
}

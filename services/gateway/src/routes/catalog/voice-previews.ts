import { createHash } from 'node:crypto'
import type { CallContext, Client } from '@parlance/bus'
import { firstAudioDeadline, type Synthesize } from '@parlance/clients/speech'
import { type catalogContract, chosenVariant, isSlowVoice, type RoutedVoice } from '@parlance/contracts'
import { cutsBetween, segmentText } from '@parlance/speech'
import { LRUCache } from 'lru-cache'

/** A sentence in each language of the built-in voices and of the languages with most models. */
const sentences: Readonly<Record<string, string>> = {
  ar: 'مرحبا! هكذا يبدو صوتي.',
  cs: 'Dobrý den! Takhle zní můj hlas.',
  da: 'Hej! Sådan lyder min stemme.',
  de: 'Hallo! So klingt meine Stimme, wenn ich dir etwas vorlese.',
  en: 'Hello! This is how my voice sounds when I read something to you.',
  es: '¡Hola! Así suena mi voz cuando te leo algo.',
  fi: 'Hei! Tältä ääneni kuulostaa.',
  fr: 'Bonjour ! Voici ma voix quand je vous lis quelque chose.',
  hi: 'नमस्ते! मेरी आवाज़ ऐसी है।',
  it: 'Ciao! Questa è la mia voce quando ti leggo qualcosa.',
  ja: 'こんにちは。これがわたしの声です。',
  ko: '안녕하세요! 제 목소리는 이렇습니다.',
  nl: 'Hallo! Zo klinkt mijn stem als ik je iets voorlees.',
  pl: 'Cześć! Tak brzmi mój głos, kiedy coś czytam.',
  pt: 'Olá! É assim que soa a minha voz quando leio algo.',
  ru: 'Привет! Так звучит мой голос.',
  sv: 'Hej! Så här låter min röst när jag läser något för dig.',
  tr: 'Merhaba! Sesim böyle geliyor.',
  uk: 'Привіт! Так звучить мій голос.',
  zh: '你好！这就是我的声音。',
}

/** For other languages: voices of all languages can read digits. */
const digits = '1, 2, 3, 4, 5, 6, 7.'

/** Returns the text of a preview in the language of a BCP 47 tag. */
const previewText = (tag: string): string => sentences[tag.toLowerCase().split('-')[0]!] ?? digits

/** A short speech in the language of a voice. */
interface VoicePreview {
  readonly mp3: Buffer
  /** The SHA-256 of the MP3, in hexadecimal. */
  readonly sha256: string
}

interface PreviewOrder {
  /** A voice id. */
  readonly voice: string
  /** Null for the first variant of the voice. */
  readonly variant: string | null
  /** Engines are shared out fairly among workspaces. */
  readonly workspaceId: string
  readonly context: CallContext
}

/**
 * Rejects with `voice_not_found`, with `invalid_request` for a variant that the voice does not have, and as a synthesis
 * does.
 */
export type FindPreview = (order: PreviewOrder) => Promise<VoicePreview>

interface VoicePreviewsOptions {
  readonly catalog: Pick<Client<typeof catalogContract>, 'findVoice'>
  readonly synthesize: Synthesize
  /** The maximum time to the first audio, in ms. */
  readonly firstAudioDeadlineMs: number
  readonly nowMs?: () => number
}

const output = { format: 'mp3', sample_rate: 24_000, bit_rate: 64_000 } as const
/** How long a preview is cached. After a change of an engine's version it is outdated for at most this time. */
const keptMs = 3_600_000
/** Each has some tens of kilobytes. */
const maxKept = 200

/** Synthesizes the preview of a variant at its first request, and caches it for all workspaces. It costs no credit. */
export const createVoicePreviews = ({
  catalog,
  synthesize,
  firstAudioDeadlineMs,
  nowMs = () => performance.now(),
}: VoicePreviewsOptions): FindPreview => {
  const kept = new LRUCache<string, Promise<VoicePreview>>({ max: maxKept, ttl: keptMs, perf: { now: nowMs } })

  const make = async (
    voice: RoutedVoice,
    variant: RoutedVoice['variants'][number],
    { workspaceId, context }: PreviewOrder,
  ): Promise<VoicePreview> => {
    const language = voice.languages[0]!
    const text = previewText(language)
    const request = {
      workspace_id: workspaceId,
      text,
      cuts: cutsBetween(segmentText(text, language)),
      voice: voice.id,
      variant: variant.id,
      language,
      output,
      speed: 1,
      volume: 1,
      alignment: [],
      private: false,
    }
    const parts: Uint8Array[] = []
    const deadlineMs = firstAudioDeadline({ isSlow: isSlowVoice(voice) }, firstAudioDeadlineMs)
    const speech = synthesize(request, { context, lane: variant.engine, deadlineMs })
    await speech((chunk) => {
      if (chunk.event === 'audio') parts.push(chunk.data.slice())
    }, new AbortController().signal)
    const mp3 = Buffer.concat(parts)
    return { mp3, sha256: createHash('sha256').update(mp3).digest('hex') }
  }

  return async (order) => {
    const voice = await catalog.findVoice({ voice: order.voice }, { context: order.context })
    const variant = chosenVariant(voice, order.variant, 'variant')
    const key = `${voice.id} ${variant.id} ${voice.updated_at}`
    const found = kept.get(key)
    if (found !== undefined) return found
    const preview = make(voice, variant, order)
    kept.set(key, preview)
    preview.catch(() => {
      if (kept.peek(key) === preview) kept.delete(key)
    })
    return preview
  }
}

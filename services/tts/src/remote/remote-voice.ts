import { createHash } from 'node:crypto'
import { type AlignmentKind, audioFormats, type OfferedVoice } from '@parlance/contracts'
import type { z } from 'zod'
import { everySampleRateHz } from '../engine/offered-voice.js'
import type { RemoteModel, remoteVoiceSchema } from './remote-config.js'

/** A voice of a server, with what the catalog shows of it. */
export type RemoteVoice = z.output<typeof remoteVoiceSchema> & {
  /** ISO 8601 in UTC with milliseconds. */
  readonly created_at?: string | undefined
}

/** For servers that do not report a time: the same on every installation. */
const unknownTime = '2026-01-01T00:00:00.000Z'

/** Returns the same id for the same voice on every installation that gives the engine the same name. */
const idOfRemoteVoice = (engine: string, voice: string): string =>
  createHash('sha256').update(`${engine}\n${voice}`).digest('hex').slice(0, 32)

const offeredRemoteVoice = (
  engine: string,
  voice: RemoteVoice,
  models: readonly RemoteModel[],
  alignment: readonly AlignmentKind[],
): OfferedVoice => ({
  id: idOfRemoteVoice(engine, voice.id),
  display_name: voice.display_name ?? voice.id,
  description: voice.description,
  languages: [...voice.languages],
  gender: voice.gender,
  tags: [...voice.tags],
  preview_url: null,
  license: voice.license,
  variants: models.map((model) => ({
    id: model.variant,
    display_name: model.display_name ?? model.id,
    sample_rates: everySampleRateHz,
    formats: [...audioFormats],
    streaming: true,
    alignment: [...alignment],
    credit_per_1k_characters: model.credit_per_1k_characters,
  })),
  created_at: voice.created_at ?? unknownTime,
  updated_at: voice.created_at ?? unknownTime,
})

/** Returns each voice once; a list may repeat an id. */
export const distinctVoices = (voices: readonly RemoteVoice[]): RemoteVoice[] => [
  ...new Map(voices.map((voice) => [voice.id, voice])).values(),
]

interface RemoteVoicesOptions {
  readonly engine: string
  readonly models: readonly RemoteModel[]
  readonly alignment: readonly AlignmentKind[]
}

/** The voices of a server that are known now, by their ids at Parlance. */
export const createRemoteVoices = ({ engine, models, alignment }: RemoteVoicesOptions) => {
  let known = new Map<string, RemoteVoice>()
  let offered: readonly OfferedVoice[] = []
  return {
    set(voices: readonly RemoteVoice[]): void {
      known = new Map(voices.map((voice) => [idOfRemoteVoice(engine, voice.id), voice]))
      offered = [...known.values()].map((voice) => offeredRemoteVoice(engine, voice, models, alignment))
    },
    offered: (): readonly OfferedVoice[] => offered,
    find: (voiceId: string): RemoteVoice | undefined => known.get(voiceId),
  }
}

export type RemoteVoices = ReturnType<typeof createRemoteVoices>

/** Returns the well-formed tags in their canonical spelling, each once. A name such as `english` is not a tag. */
export const listedLanguages = (tags: readonly (string | null | undefined)[]): string[] => [
  ...new Set(
    tags.flatMap((tag) => (tag && /^[a-z]{2,3}([-_]|$)/i.test(tag) ? canonical(tag.replaceAll('_', '-')) : [])),
  ),
]

const canonical = (tag: string): string[] => {
  try {
    return Intl.getCanonicalLocales(tag)
  } catch {
    return []
  }
}

/** As `listedLanguages`, or the fallback where there is none. */
export const languagesOr = (tags: readonly (string | null | undefined)[], fallback: string): string[] => {
  const listed = listedLanguages(tags)
  return listed.length === 0 ? [fallback] : listed
}

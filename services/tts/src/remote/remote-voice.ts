import { createHash } from 'node:crypto'
import { type AlignmentKind, audioFormats, type OfferedVoice, sampleRatesHz } from '@parlance/contracts'
import type { z } from 'zod'
import type { RemoteModel, remoteVoiceSchema } from './remote-config.js'

/** A voice of a server, with what the catalog shows of it. */
export type RemoteVoice = z.output<typeof remoteVoiceSchema> & {
  /** ISO 8601 in UTC with milliseconds. */
  readonly created_at?: string | undefined
}

const everySampleRateHz = [...new Set(Object.values(sampleRatesHz).flat())].sort((a, b) => a - b)

/** For servers that do not report a time: the same on every installation. */
const unknownTime = '2026-01-01T00:00:00.000Z'

/** Returns the same id for the same voice on every installation that gives the engine the same name. */
export const idOfRemoteVoice = (engine: string, voice: string): string =>
  createHash('sha256').update(`${engine}\n${voice}`).digest('hex').slice(0, 32)

export const offeredRemoteVoice = (
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

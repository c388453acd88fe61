import { audioFormats, type OfferedVoice, sampleRatesHz } from '@parlance/contracts'
import type { EngineVoice } from '@parlance/engine/protocol'

export const everySampleRateHz = [...new Set(Object.values(sampleRatesHz).flat())].sort((a, b) => a - b)

/** Returns a voice as the catalog lists it. The worker resamples and encodes, so every voice has every format. */
export const offeredVoice = (voice: EngineVoice): OfferedVoice => ({
  id: voice.id,
  display_name: voice.displayName,
  description: voice.description,
  languages: [...voice.languages],
  gender: voice.gender,
  tags: [...voice.tags],
  preview_url: null,
  license: voice.license,
  variants: voice.variants.map((variant) => ({
    id: variant.id,
    display_name: variant.displayName,
    sample_rates: everySampleRateHz,
    formats: [...audioFormats],
    streaming: true,
    alignment: ['word', 'phoneme', 'viseme'],
    credit_per_1k_characters: variant.creditPer1kCharacters,
  })),
  created_at: voice.createdAt,
  updated_at: voice.updatedAt,
})

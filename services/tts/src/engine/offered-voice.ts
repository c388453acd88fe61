import { audioFormats, type OfferedVoice, sampleRatesHz } from '@parlance/contracts'
import type { EngineVoice } from '@parlance/engine/protocol'

const everySampleRateHz = [...new Set(Object.values(sampleRatesHz).flat())].sort((a, b) => a - b)

/** A voice as the catalog lists it. Resampling and encoding are done here, so every voice comes in every format. */
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

import type { OfferedVoice, RoutedVoice } from '@parlance/contracts'

/** A voice as an engine offers it. */
export const standInOfferedVoice: OfferedVoice = {
  id: 'a'.repeat(32),
  display_name: 'Ada',
  description: '',
  languages: ['en'],
  gender: 'female',
  tags: [],
  preview_url: null,
  license: 'CC0-1.0',
  variants: [
    {
      id: 'standard',
      display_name: 'Standard',
      sample_rates: [24000],
      formats: ['mp3'],
      streaming: true,
      alignment: ['word'],
      credit_per_1k_characters: '0.015',
    },
  ],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

/** The same voice as the catalog returns it to services. */
export const standInVoice: RoutedVoice = {
  ...standInOfferedVoice,
  status: 'available',
  variants: standInOfferedVoice.variants.map((variant) => ({ ...variant, engine: 'espeak-ng' })),
}

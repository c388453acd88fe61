import { createHash } from 'node:crypto'
import type { OfferedVoice } from '@parlance/contracts'

/** A voice as an engine offers it; the id follows from the name. */
export const offeredVoice = (fields: Partial<OfferedVoice> = {}): OfferedVoice => ({
  id: createHash('sha256')
    .update(fields.display_name ?? 'Ada')
    .digest('hex')
    .slice(0, 32),
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
  ...fields,
})

import type { RoutedVoice } from '@parlance/contracts'

export const voiceId = '9f2c4c1e0b7d4a3f8e6d5c4b3a291807'

/** The lane in which the fakes speak. */
export const lane = 'fake'

/** A voice that speaks everything. Its variants have different prices. */
export const ada: RoutedVoice = {
  id: voiceId,
  display_name: 'Ada',
  description: '',
  languages: ['en'],
  gender: 'female',
  tags: [],
  status: 'available',
  preview_url: null,
  license: 'Apache-2.0',
  variants: [
    ['standard', '0.015'],
    ['expensive', '1.5'],
  ].map(([id = '', credit_per_1k_characters = '']) => ({
    id,
    display_name: id,
    sample_rates: [24000],
    formats: ['mp3', 'wav', 'pcm_s16le', 'opus', 'ulaw'],
    streaming: true,
    alignment: ['word'],
    credit_per_1k_characters,
    engine: lane,
  })),
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
}

import { voiceId } from './fake-services.js'

const variants = ['standard', 'expensive'].map((id) => ({
  id,
  display_name: id,
  sample_rates: [24000],
  formats: ['mp3'],
  streaming: true,
  alignment: ['word'],
  credit_per_1k_characters: '0.015',
}))

/** A page of two voices with the same variants, as the catalog replies it. */
export const offeredPage = JSON.stringify({
  voices: ['Ada', 'Bob'].map((display_name) => ({
    id: voiceId,
    display_name,
    description: '',
    languages: ['en'],
    gender: 'female',
    tags: [],
    status: 'available',
    preview_url: null,
    license: 'Apache-2.0',
    variants,
    created_at: '2026-01-31T09:30:00.000Z',
    updated_at: '2026-01-31T09:30:00.000Z',
  })),
  next_cursor: null,
})

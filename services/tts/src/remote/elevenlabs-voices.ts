import { z } from 'zod'
import { languagesOr } from './listed-languages.js'
import { RemoteFailure } from './remote-failure.js'
import { distinctVoices, type RemoteVoice } from './remote-voice.js'

const label = z.string().nullish()
const page = z.object({
  voices: z.array(
    z.object({
      voice_id: z.string().min(1).max(200),
      name: z.string().nullish(),
      description: z.string().nullish(),
      category: z.string().nullish(),
      labels: z.object({ language: label, gender: label, accent: label, age: label, use_case: label }).nullish(),
      verified_languages: z.array(z.object({ language: z.string(), locale: z.string().nullish() })).nullish(),
      created_at_unix: z.number().nullish(),
    }),
  ),
  has_more: z.boolean().default(false),
  next_page_token: z.string().nullish(),
})

const maxPages = 50

const genderOf = (label: string | null | undefined): RemoteVoice['gender'] =>
  label === 'female' || label === 'male' ? label : 'neutral'

/** Reads all pages of `GET v2/voices` by `get`. */
export const voicesOfElevenlabs = async (get: (path: string) => Promise<unknown>): Promise<RemoteVoice[]> => {
  const voices: RemoteVoice[] = []
  let token: string | null | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const query = new URLSearchParams({ page_size: '100', ...(token ? { next_page_token: token } : {}) })
    const answer = page.safeParse(await get(`v2/voices?${query}`))
    if (!answer.success) throw new RemoteFailure('broken', 'a list of voices of an unknown shape')
    const { voices: listed, has_more: more, next_page_token: next } = answer.data
    for (const { voice_id, name, description, category, labels, verified_languages, created_at_unix } of listed) {
      const tags = [labels?.accent, labels?.age, labels?.use_case, category]
      voices.push({
        id: voice_id,
        display_name: name || voice_id,
        description: description ?? '',
        languages: languagesOr(
          [labels?.language, ...(verified_languages ?? []).map(({ language, locale }) => locale ?? language)],
          'en',
        ),
        gender: genderOf(labels?.gender),
        tags: tags.filter((tag): tag is string => typeof tag === 'string' && tag !== ''),
        license: 'proprietary',
        created_at: created_at_unix ? new Date(created_at_unix * 1000).toISOString() : undefined,
      })
    }
    token = next
    if (!more || !token) break
  }
  if (voices.length === 0) throw new RemoteFailure('broken', 'a list of voices with none in it')
  return distinctVoices(voices)
}

import { z } from 'zod'
import { languagesOr } from './listed-languages.js'
import { RemoteFailure } from './remote-failure.js'
import { distinctVoices, type RemoteVoice } from './remote-voice.js'

const page = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1).max(200),
      name: z.string().nullish(),
      description: z.string().nullish(),
      language: z.string().nullish(),
      gender: z.string().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
  has_more: z.boolean().default(false),
})

const maxPages = 50
const genders: Readonly<Record<string, RemoteVoice['gender']>> = { feminine: 'female', masculine: 'male' }

const isoOf = (time: string | null | undefined): string | undefined => {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** Reads all pages of `GET voices` by `get`. */
export const voicesOfCartesia = async (get: (path: string) => Promise<unknown>): Promise<RemoteVoice[]> => {
  const voices: RemoteVoice[] = []
  for (let pages = 0; pages < maxPages; pages++) {
    const last = voices.at(-1)
    const query = new URLSearchParams({ limit: '100', ...(last === undefined ? {} : { starting_after: last.id }) })
    const answer = page.safeParse(await get(`voices?${query}`))
    if (!answer.success) throw new RemoteFailure('broken', 'a list of voices of an unknown shape')
    for (const { id, name, description, language, gender, created_at } of answer.data.data) {
      voices.push({
        id,
        display_name: name || id,
        description: description ?? '',
        languages: languagesOr([language], 'en'),
        gender: genders[gender ?? ''] ?? 'neutral',
        tags: [],
        license: 'proprietary',
        created_at: isoOf(created_at),
      })
    }
    if (!answer.data.has_more || answer.data.data.length === 0) break
  }
  if (voices.length === 0) throw new RemoteFailure('broken', 'a list of voices with none in it')
  return distinctVoices(voices)
}

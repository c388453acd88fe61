import { readKokoroName } from '@parlance/models'
import { z } from 'zod'
import { languagesOr } from './listed-languages.js'
import { RemoteFailure } from './remote-failure.js'
import { distinctVoices, type RemoteVoice } from './remote-voice.js'

/** `GET audio/voices` has no standard: it returns names, or objects with an id, a name or both, and sometimes more. */
const name = z.string().min(1).max(200)
const listedVoice = z.union([
  name.transform((id) => ({ id })),
  z
    .object({
      id: name.optional(),
      name: name.optional(),
      language: z.string().nullish(),
      gender: z.string().nullish(),
    })
    .transform((voice, context) => {
      const id = voice.id ?? voice.name
      if (id === undefined) {
        context.addIssue('a voice with neither id nor name')
        return z.NEVER
      }
      return { ...voice, id }
    }),
])
const voiceList = z.object({ voices: z.array(listedVoice).min(1).max(5000) })

const genderOf = (gender: string | null | undefined): RemoteVoice['gender'] =>
  gender === 'female' || gender === 'male' ? gender : 'neutral'

/** Returns the voices in an answer to `GET audio/voices`. Throws a `RemoteFailure` when there are none. */
export const voicesOfOpenai = (answer: unknown, defaultLanguage: string, license: string): RemoteVoice[] => {
  const list = voiceList.safeParse(answer)
  if (!list.success) throw new RemoteFailure('broken', 'a list of voices of an unknown shape')
  return distinctVoices(
    list.data.voices.map((voice) => {
      const { id, name, language, gender }: { id: string } & Partial<Record<string, string | null | undefined>> = voice
      const named = readKokoroName(id)
      return {
        id,
        display_name: name ?? id,
        description: '',
        languages: languagesOr([language ?? named?.language], defaultLanguage),
        gender: genderOf((gender ?? named?.gender)?.toLowerCase()),
        tags: [],
        license,
      }
    }),
  )
}

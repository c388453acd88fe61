/** Finds a natural voice, and waits until it is announced. */
import type { Api } from '../../api/api.js'
import type { Problem } from '../../api/problem.js'
import type { paths } from '../../api/schema.js'
import { isAvailable, listVoices, type Voice } from '../../voices/voice-queries.js'

type Methods = paths['/dashboard/api/try/natural-voice']
type Found = Methods['get']['responses'][200]['content']['application/json']
export type NaturalVoice = NonNullable<Found['voice']>

export interface NaturalVoiceOffer {
  /** Installs the voice where the page cannot. */
  readonly command: string
  /** Null if only the command can. */
  readonly voice: NaturalVoice | null
}

/** Models are loaded one after the other, and a busy machine takes a while for one. */
const announceWithinMs = 120_000
const askEveryMs = 500

const notAnnounced: Problem = {
  code: 'unavailable',
  detail: 'The voice is installed, but does not speak yet. The command npx parlance models verify shows why.',
  retryable: true,
}

/** Resolves to the voice to install for this person; undefined where a natural voice is installed already. */
export const findNaturalVoice = async (api: Api): Promise<NaturalVoiceOffer | undefined> => {
  const query = { languages: navigator.languages.join(',') }
  const { data } = await api.GET('/dashboard/api/try/natural-voice', { params: { query } })
  return data
}

/**
 * Resolves to all voices, and the one that is new, as soon as a voice is natural. `knownIds` are those of the voices from before.
 * Rejects with a problem, or with the reason of the signal.
 */
export const awaitNewVoice = async (
  api: Api,
  knownIds: readonly string[],
  signal: AbortSignal,
): Promise<{ voices: Voice[]; added: Voice }> => {
  const deadlineMs = performance.now() + announceWithinMs
  while (performance.now() < deadlineMs) {
    const isNatural = (await findNaturalVoice(api)) === undefined
    signal.throwIfAborted()
    const voices = isNatural ? await listVoices(api) : []
    const added = voices.find((voice) => isAvailable(voice) && !knownIds.includes(voice.id))
    if (added !== undefined) return { voices, added }
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    signal.throwIfAborted()
  }
  throw notAnnounced
}

import { useAvatars } from '../../avatars/avatar-queries.js'
import { useVoices } from '../../voices/voice-queries.js'

/** The names of voices and avatars by their ids, as far as they are loaded. */
export const useCatalogNames = (): ReadonlyMap<string, string> => {
  const [voices, avatars] = [useVoices().data ?? [], useAvatars().data ?? []]
  return new Map([...voices, ...avatars].map(({ id, display_name }) => [id, display_name]))
}

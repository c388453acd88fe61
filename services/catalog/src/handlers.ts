import type { Handlers } from '@parlance/bus'
import { type catalogContract, matchesLanguage, ServiceError } from '@parlance/contracts'
import type { AvatarDirectory } from './avatar-directory.js'
import type { VoiceDirectory } from './voice-directory.js'

/** An entry of an ordered list. Its `sortKey` does not depend on other entries. */
export interface Sorted<Item> {
  readonly sortKey: string
  readonly item: Item
}

/**
 * Returns a page of a list that is ordered by `sortKey`. The cursor is the key of the last entry of the previous page, so
 * pages neither repeat nor skip entries when the list changes between requests. Undefined for an invalid cursor.
 */
export const page = <Item>(
  list: readonly Sorted<Item>[],
  limit: number,
  cursor: string | undefined,
): { items: Item[]; nextCursor: string | null } | undefined => {
  const after = cursor === undefined ? '' : decodeCursor(cursor)
  if (after === undefined) return undefined
  const rest = cursor === undefined ? list : list.filter(({ sortKey }) => sortKey > after)
  const shown = rest.slice(0, limit)
  return {
    items: shown.map(({ item }) => item),
    nextCursor: shown.length < rest.length ? encodeCursor(shown[shown.length - 1]!.sortKey) : null,
  }
}

const encodeCursor = (sortKey: string): string => Buffer.from(sortKey).toString('base64url')

const decodeCursor = (cursor: string): string | undefined => {
  const sortKey = Buffer.from(cursor, 'base64url').toString()
  return cursor !== '' && encodeCursor(sortKey) === cursor ? sortKey : undefined
}

export const createHandlers = (voices: VoiceDirectory, avatars: AvatarDirectory): Handlers<typeof catalogContract> => {
  // Pages are cached as bytes until the list changes, since they are requested much more often than engines start or stop.
  const pages = new Map<string, Uint8Array>()
  let pagesVersion = -1

  return {
    listVoices({ limit, cursor, language, synthesis }, { fail }) {
      const { version, sorted } = voices.snapshot()
      if (version !== pagesVersion) {
        pages.clear()
        pagesVersion = version
      }
      const key = `${limit} ${language?.toLowerCase() ?? ''} ${synthesis ?? ''} ${cursor ?? ''}`
      const kept = pages.get(key)
      if (kept !== undefined) return kept
      const listed = sorted.filter(
        ({ item, synthesis: method }) =>
          (language === undefined || item.languages.some((tag) => matchesLanguage(tag, language))) &&
          (synthesis === undefined || method === synthesis),
      )
      if (listed.length === 0 && !voices.complete()) throw incomplete()
      const found = page(listed, limit, cursor)
      if (found === undefined) return fail('invalid_request', badCursor)
      const bytes = Buffer.from(JSON.stringify({ voices: found.items, next_cursor: found.nextCursor }))
      // Cursors come from clients, so the cache needs a bound.
      if (pages.size < 200) pages.set(key, bytes)
      return bytes
    },

    findVoice({ voice }, { fail }) {
      const found = voices.find(voice)
      if (found !== undefined) return found
      if (!voices.complete()) throw incomplete()
      return fail('voice_not_found', 'There is no such voice. GET /v1/voices lists all voices.')
    },

    listEngines: () => ({ engines: voices.engines() }),

    listAvatars({ limit, cursor }, { fail }) {
      const found = page(avatars.sorted, limit, cursor)
      if (found === undefined) return fail('invalid_request', badCursor)
      return { avatars: found.items, next_cursor: found.nextCursor }
    },

    findAvatar: ({ avatar_id }, { fail }) =>
      avatars.find(avatar_id) ??
      fail('avatar_not_found', 'There is no such avatar. GET /v1/avatars lists all avatars.'),
  }
}

const incomplete = () =>
  new ServiceError('unavailable', 'Not all speech engines have announced their voices yet. Try again shortly.')

const badCursor = 'cursor: must be the next_cursor of the previous page'

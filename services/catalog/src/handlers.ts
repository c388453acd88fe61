import type { Handlers } from '@parlance/bus'
import type { catalogContract } from '@parlance/contracts'
import { page } from './page.js'
import type { VoiceDirectory } from './voice-directory.js'

export const createHandlers = (voices: VoiceDirectory): Handlers<typeof catalogContract> => {
  // The list changes when engines come and go, and is asked for all the time: its pages are kept as bytes until then.
  const pages = new Map<string, Uint8Array>()
  let pagesVersion = -1

  return {
    listVoices({ limit, cursor }, { fail }) {
      const { version, sorted } = voices.snapshot()
      if (version !== pagesVersion) {
        pages.clear()
        pagesVersion = version
      }
      const key = `${limit} ${cursor ?? ''}`
      const kept = pages.get(key)
      if (kept !== undefined) return kept
      const found = page(sorted, limit, cursor)
      if (found === undefined) return fail('invalid_request', 'cursor: must be the next_cursor of the page before')
      const bytes = Buffer.from(JSON.stringify({ voices: found.items, next_cursor: found.nextCursor }))
      // Cursors come from outside: without a bound, made-up ones would fill the memory.
      if (pages.size < 200) pages.set(key, bytes)
      return bytes
    },

    listAvatars: () => ({ avatars: [], next_cursor: null }),
  }
}

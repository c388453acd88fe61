import { aborted } from '@parlance/async'
import type { Recognizer } from './recognizer.js'

interface UsedRecognizer {
  readonly recognizer: Recognizer
  /** Resolves when no conversation and no utterance uses it. */
  unused(): Promise<void>
}

/** Counts the users of a recognizer: conversations, and utterances in progress. */
const countUse = (recognizer: Recognizer): UsedRecognizer => {
  let users = 0
  let onUnused = () => {}
  /** Returns the function to call at the end of the use; only its first call counts. */
  const begin = (): (() => void) => {
    let hasEnded = false
    users += 1
    return () => {
      if (hasEnded) return
      hasEnded = true
      users -= 1
      if (users === 0) onUnused()
    }
  }

  return {
    recognizer: {
      ...recognizer,
      keepWarm() {
        const cool = recognizer.keepWarm?.()
        const end = begin()
        return () => {
          cool?.()
          end()
        }
      },
      open(options) {
        const recognition = recognizer.open(options)
        const end = begin()
        return {
          ...recognition,
          finish: (options) => recognition.finish(options).finally(end),
          cancel() {
            recognition.cancel()
            end()
          },
        }
      },
    },
    unused: () =>
      new Promise((resolve) => {
        onUnused = resolve
        if (users === 0) resolve()
      }),
  }
}

/** The recognizers of one provider, which are added and removed at runtime. */
export type RecognizerSet = ReturnType<typeof createRecognizerSet>

/** The set is empty at first. */
export const createRecognizerSet = () => {
  const members: Recognizer[] = []
  const used = new Map<string, UsedRecognizer>()
  /** The ends of removed recognizers that are still used. */
  const leaving = new Set<Promise<void>>()
  const closing = new AbortController()

  const leave = async ({ recognizer, unused }: UsedRecognizer): Promise<void> => {
    await Promise.race([unused(), aborted(closing.signal)])
    await recognizer.close()
  }

  return {
    /** Those that can be chosen now, by name. The array changes with the set. */
    members,
    /** Throws when there is a member of the same name. */
    add(added: Recognizer) {
      if (used.has(added.name)) throw new Error(`there is a recognizer ${added.name} already`)
      const counted = countUse(added)
      used.set(added.name, counted)
      members.push(counted.recognizer)
      members.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    /** It can be chosen no more. Resolves when the conversations that use it have ended and it is closed. */
    async remove(name: string) {
      const removed = used.get(name)
      if (removed === undefined) return
      used.delete(name)
      members.splice(members.indexOf(removed.recognizer), 1)
      const left = leave(removed).finally(() => leaving.delete(left))
      leaving.add(left)
      await left
    },
    /** Closes all recognizers, also those that conversations use. */
    async close() {
      closing.abort()
      used.clear()
      await Promise.all([...members.splice(0).map((recognizer) => recognizer.close()), ...leaving])
    },
  }
}

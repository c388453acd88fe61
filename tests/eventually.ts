import { setTimeout as delay } from 'node:timers/promises'

/** Polls until `look` returns a value. Rejects when it does not return one within 60 s. */
export const eventually = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  const giveUpAtMs = performance.now() + 60_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > giveUpAtMs) throw new Error('there was no result within 60 s')
    await delay(20)
  }
}

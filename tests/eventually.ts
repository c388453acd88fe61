import { setTimeout as delay } from 'node:timers/promises'

/** Polls for what another process does in its own time; rejects when it did not happen within 15 s. */
export const eventually = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  const giveUpAtMs = performance.now() + 15_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > giveUpAtMs) throw new Error('it did not happen within 15 s')
    await delay(20)
  }
}

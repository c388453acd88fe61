import { setFlagsFromString } from 'node:v8'

/**
 * Configures V8's garbage collection for a service with some 20 MB of live data that passes audio through buffers outside of
 * the heap.
 *
 * - The heap grows to three times its live size before a full collection. The buffers count as well: with its defaults V8 ran a
 *   full collection for each 10 MB of them, several times a second, and a busy speech worker spent half of its time on that.
 * - One thread collects the young generation: it is so small that waking others costs more than it saves.
 */
export const tuneGarbageCollection = (): void => {
  setFlagsFromString('--heap-growing-percent=200')
  setFlagsFromString('--no-parallel-scavenge')
}

import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 collect garbage as suits a service that keeps some 20 MB, through which audio goes in buffers beside the heap.
 *
 * - The heap grows to three times what is alive in it before all of it is looked through. The buffers count as well: by
 *   itself V8 looked through everything for each 10 MB of them, several times a second, and a busy speech worker spent half
 *   of its time on that.
 * - What is young is looked through by one thread: it is so little that to wake others for it costs more than it saves.
 */
export const tuneGarbageCollection = (): void => {
  setFlagsFromString('--heap-growing-percent=200')
  setFlagsFromString('--no-parallel-scavenge')
}

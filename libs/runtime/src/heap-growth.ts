import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heap grow to three times what is alive in it before all of it is looked through. A service keeps some 20 MB,
 * and audio goes through it in buffers beside that, which count: by itself V8 looked through everything for each 10 MB of
 * them, several times a second, and a busy speech worker spent half of its time on that.
 */
export const letHeapGrow = (): void => setFlagsFromString('--heap-growing-percent=200')

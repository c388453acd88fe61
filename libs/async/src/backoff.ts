/** Delays that double after each failure, from `firstMs` up to `maxMs`. */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * Milliseconds to wait before the attempt that follows `failures` failures in a row, which is at least 1. The delay is
 * jittered; `random` returns a number from 0 up to, but not including, 1.
 */
export const backoffMs = ({ firstMs, maxMs }: Backoff, failures: number, random = Math.random): number =>
  jitteredMs(Math.min(firstMs * 2 ** (failures - 1), maxMs), random)

/** A random time between half of `ms` and `ms`: clients that failed at the same time then do not return at the same time. */
export const jitteredMs = (ms: number, random = Math.random): number => ms * (0.5 + random() / 2)

import type { ServerResponse } from 'node:http'
import { drained } from './idle-limit.js'

/**
 * Returns a promise when the buffer of `res` is full, which resolves when it has drained: a slow client slows down the
 * producer.
 */
export const writePart = (res: ServerResponse, part: Uint8Array | string, signal: AbortSignal): void | Promise<void> =>
  res.write(part) ? undefined : drained(res, signal)

/** A server-sent event: its name, and its data, which is sent as JSON. */
export const printEvent = ([name, data]: readonly [name: string, data: object]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

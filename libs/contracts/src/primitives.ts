import { z } from 'zod'

/** A UUID in lower case. */
export const idSchema = z.uuid()

/** ISO 8601 in UTC with milliseconds, e.g. `2026-01-31T09:30:00.000Z`. */
export const timestampSchema = z.iso.datetime({ precision: 3 })

/** Identifies a request in answers and logs: what the caller sent when that is valid, else a new UUID. */
export const requestIdSchema = z.string().regex(/^[A-Za-z0-9._:-]{8,128}$/)

/** 32 hexadecimal characters, the same for the same voice on every installation. */
export const voiceIdSchema = z.string().regex(/^[0-9a-f]{32}$/)

/** Digits only, so that money never passes through a float. */
export const decimalSchema = z.string().regex(/^-?\d+(\.\d+)?$/)

/** Raw bytes. On the bus they travel beside the JSON, under the key `data` of a stream's chunk. */
export const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array, { error: 'must be bytes' })

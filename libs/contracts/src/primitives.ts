import { z } from 'zod'

/** `cursor` is the `next_cursor` of the page before. */
export const pageRequestSchema = z.strictObject({
  limit: z.int().min(1).max(100).default(100),
  cursor: z.string().min(1).max(256).optional(),
})

/** By time of creation. */
export const orderSchema = z.enum(['asc', 'desc'])

/** A UUID in lower case. */
export const idSchema = z.uuid()

/** ISO 8601 in UTC with milliseconds, e.g. `2026-01-31T09:30:00.000Z`. */
export const timestampSchema = z.iso.datetime({ precision: 3 })

/** Identifies a request in responses and logs: the id that the caller sent if it is valid, else a new UUID. */
export const requestIdSchema = z.string().regex(/^[A-Za-z0-9._:-]{8,128}$/)

/** 32 hexadecimal characters, the same for the same voice on every installation. */
export const voiceIdSchema = z.string().regex(/^[0-9a-f]{32}$/)

/** Text that Postgres can store and search for. */
export const storableTextSchema = z.string().regex(/^[^\u0000]*$/, { error: 'must not contain the character U+0000' })

/** Digits only, so that money never passes through a float. */
export const decimalSchema = z.string().regex(/^-?\d+(\.\d+)?$/)

/** An amount of credit that is not negative, to a billionth, e.g. `"12.40"`. */
export const creditSchema = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, { error: 'must be a decimal such as "12.40"' })

/** SHA-256 in hex. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)

/** Raw bytes under the key `data` of a stream's chunk. On the bus they are sent after the JSON. */
export const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array, { error: 'must be bytes' })

/** The maximum bytes of a part of a file that is sent over the bus. */
export const maxFilePartBytes = 32 * 1024

/** How a file is sent over the bus: its parts in order, then `whole`. */
export const filePartSchema = z.object({ kind: z.literal('part'), data: bytesSchema })
export const fileEndSchema = z.object({ kind: z.literal('whole') })
export type FileChunk = z.infer<typeof filePartSchema> | z.infer<typeof fileEndSchema>

import { ServiceError } from '@parlance/contracts'
import type { z } from 'zod'

export interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly order: 'asc' | 'desc'
}

export interface Page<Item> {
  readonly items: Item[]
  readonly nextCursor: string | null
}

/** How the rows that follow a cursor compare with it. */
export const following = { asc: '>', desc: '<' } as const

/** What the texts of one answer may come to, in bytes: with all that goes by their side they fit into a message of the bus. */
const maxAnswerBytes = 320 * 1024
const bytesBesideText = 1024

/** Whether a row still fits into the answer, with `bytes` of text in it. The window `page` has the order of the rows. */
export const fitsAnswer = (bytes: string): string =>
  `(row_number() over page = 1 or sum(${bytes} + ${bytesBesideText}) over page <= ${maxAnswerBytes}) as fits`

/**
 * A page of rows that were read up to one beyond `limit`; it ends early where they fit no more. A cursor is the place of
 * the last row shown, so nothing is repeated or left out when others come and go.
 */
export const pageOf = <Row extends { fits: boolean }, Item>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => unknown,
  toItem: (row: Row) => Item,
): Page<Item> => {
  const beyond = rows.findIndex(({ fits }, index) => index === limit || !fits)
  const shown = beyond < 0 ? rows : rows.slice(0, beyond)
  const last = shown.at(-1)
  return {
    items: shown.map(toItem),
    nextCursor: beyond < 0 || last === undefined ? null : encodeCursor(placeOf(last)),
  }
}

const encodeCursor = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** The place that a cursor stands for, undefined without one. Throws `invalid_request` for what never was a cursor. */
export const decodeCursor = <Schema extends z.ZodType>(
  cursor: string | undefined,
  placeSchema: Schema,
): z.output<Schema> | undefined => {
  if (cursor === undefined) return undefined
  const place = placeSchema.safeParse(tryParse(Buffer.from(cursor, 'base64url').toString()))
  if (place.success) return place.data
  throw new ServiceError('invalid_request', 'cursor: must be the next_cursor of the page before')
}

const tryParse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

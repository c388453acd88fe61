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

/** The operator by which rows after a cursor compare with it. */
export const following = { asc: '>', desc: '<' } as const

/**
 * An SQL condition: whether the row fits into a reply of `maxBytes`. `bytes` is the SQL size of its text; `overheadBytes` is
 * added for its other fields. The first row always fits. The window `page` has the order of the rows.
 */
export const fitsPage = (size: { bytes: string; overheadBytes: number; maxBytes: number }): string =>
  `(row_number() over page = 1 or sum(${size.bytes} + ${size.overheadBytes}) over page <= ${size.maxBytes})`

export interface PageOptions<Row, Item> {
  readonly limit: number
  /** The sort key of a row, as JSON that a cursor encodes. */
  readonly placeOf: (row: Row) => unknown
  readonly toItem: (row: Row) => Item
  /** A page ends early at a row that does not fit. */
  readonly fits?: (row: Row) => boolean
}

/**
 * Creates a page of rows that were read up to one beyond `limit`. A cursor is the sort key of the last row on the page, so no
 * row is repeated or left out when other rows are added or deleted.
 */
export const pageOf = <Row, Item>(
  rows: readonly Row[],
  { limit, placeOf, toItem, fits = () => true }: PageOptions<Row, Item>,
): Page<Item> => {
  const beyond = rows.findIndex((row, index) => index === limit || !fits(row))
  const shown = beyond < 0 ? rows : rows.slice(0, beyond)
  const last = shown.at(-1)
  return {
    items: shown.map(toItem),
    nextCursor: beyond < 0 || last === undefined ? null : encodeCursor(placeOf(last)),
  }
}

const encodeCursor = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Returns the sort key that a cursor encodes, undefined without a cursor. Throws `invalid_request` for an invalid cursor. */
export const decodeCursor = <Schema extends z.ZodType>(
  cursor: string | undefined,
  placeSchema: Schema,
): z.output<Schema> | undefined => {
  if (cursor === undefined) return undefined
  const place = placeSchema.safeParse(tryParse(Buffer.from(cursor, 'base64url').toString()))
  if (place.success) return place.data
  throw new ServiceError('invalid_request', 'cursor: must be the next_cursor of the previous page')
}

const tryParse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

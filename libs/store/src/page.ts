import { idSchema, ServiceError } from '@parlance/contracts'
import { z } from 'zod'

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

interface PageOptions<Row, Item> {
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

/** The time of creation in µs and the id of the last row on a page. */
const timePlaceSchema = z.tuple([z.int().nonnegative(), idSchema])

/**
 * SQL for rows in the order of `created_at` and `id`, which are columns of `table`. `values` are two parameters of the query,
 * of which the first has the number `parameter`.
 */
export const timeOrder = ({ cursor, order }: Omit<PageRequest, 'limit'>, table: string, parameter: number) => {
  const [createdUs, id] = decodeCursor(cursor, timePlaceSchema) ?? [null, null]
  return {
    /** The column `created_us`, from which `pageByTime` makes the next cursor. */
    createdUs: `(extract(epoch from ${table}.created_at) * 1e6)::float8 as created_us`,
    /** A condition: whether the row is after the cursor. */
    isAfter: `($${parameter}::float8 is null or (${table}.created_at, ${table}.id) ${following[order]}
      (timestamptz 'epoch' + $${parameter} * interval '1 microsecond', $${parameter + 1}::uuid))`,
    orderBy: `order by ${table}.created_at ${order}, ${table}.id ${order}`,
    values: [createdUs, id],
  }
}

/** A page of rows in the order of `timeOrder`. */
export const pageByTime = <Row extends { readonly id: string }, Item>(
  rows: readonly (Row & { readonly created_us: number })[],
  { toItem, ...options }: Omit<PageOptions<Row, Item>, 'placeOf'>,
): Page<Item> =>
  pageOf(rows, {
    ...options,
    placeOf: ({ created_us, id }) => [created_us, id],
    toItem: ({ created_us: _, ...row }) => toItem(row as unknown as Row),
  })

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

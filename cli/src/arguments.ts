import {
  apiKeySchema,
  type Capability,
  capabilitySchema,
  concurrencyLimitSchema,
  creditContract,
  creditSchema,
  idSchema,
  personSchema,
  workspaceSchema,
} from '@parlance/contracts'
import { InvalidArgumentError } from 'commander'

interface Schema {
  safeParse(value: unknown): { success: boolean }
}

/** A parser of an argument that must match `schema`. `advice` follows "is invalid for …" in the error. */
const matching = (schema: Schema, advice: string) => (value: string) => {
  if (schema.safeParse(value).success) return value
  throw new InvalidArgumentError(advice)
}

export const workspaceId = matching(idSchema, '`parlance workspace list` shows all ids.')
export const keyId = matching(idSchema, '`parlance key list <workspace>` shows all ids.')
export const workspaceName = matching(workspaceSchema.shape.name, 'It must have 1 to 200 characters.')
export const keyLabel = matching(apiKeySchema.shape.label, 'It must have 1 to 200 characters.')
export const emailAddress = matching(personSchema.shape.email, 'It must be an address such as ada@example.com.')
export const personName = matching(personSchema.shape.name, 'It must have 1 to 200 characters.')
export const reference = matching(
  creditContract.methods.grant.request.shape.reference,
  'It must have 1 to 200 characters, such as the number of an invoice.',
)
export const amount = matching(
  creditSchema.regex(/[1-9]/),
  'It must be an amount above zero with a decimal point, such as 100 or 12.40, to a billionth.',
)

/** The option may be repeated, and each value may be a list with commas. The empty string is an empty list. */
export const capabilities = (value: string, before: readonly Capability[] = []): Capability[] => {
  const given = value.split(',').filter((name) => name !== '')
  if (given.every((name): name is Capability => capabilitySchema.safeParse(name).success)) {
    return [...new Set([...before, ...given])]
  }
  throw new InvalidArgumentError(`There are ${capabilitySchema.options.join(', ')}.`)
}

export const concurrencyLimit = (value: string): number => {
  const count = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (concurrencyLimitSchema.safeParse(count).success) return count
  throw new InvalidArgumentError('It must be a whole number up to 1000000, with 0 for no limit.')
}

const day = /^\d{4}-\d\d-\d\d$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Parses to an ISO 8601 timestamp. A day is its beginning in UTC. */
export const timestamp = (value: string): string => {
  const atMs = day.test(value) || moment.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(atMs)) return new Date(atMs).toISOString()
  throw new InvalidArgumentError('It must be a day such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z.')
}

export const folderName = (value: string): string => {
  if (value !== '') return value
  throw new InvalidArgumentError('It must be the path of a folder.')
}

export const threadCount = (value: string): number => {
  if (/^[1-9]\d?$/.test(value) && Number(value) <= 64) return Number(value)
  throw new InvalidArgumentError('It must be a number from 1 to 64.')
}

export const webAddress = (value: string): string => {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value
  throw new InvalidArgumentError('It must be an address such as https://models.example.com/.')
}

/** Names, separated by commas. */
export const serviceNames = (value: string): string[] => value.split(',').map((name) => name.trim())

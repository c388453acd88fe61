import { createHmac } from 'node:crypto'
import type { KeyDigest } from '@parlance/contracts'
import { z } from 'zod'

/** A secret that the digests of keys depend on, so that digests from a stolen database cannot be searched for keys. */
export interface Pepper {
  readonly version: number
  readonly secret: string
}

/** The first one has the highest version and is the current one. */
export type Peppers = readonly [Pepper, ...Pepper[]]

const form = 'as "2:<secret>,1:<secret>": versions from 1 up, each once, at most 8, secrets of at least 16 characters'

/** Errors name the form and never a secret. */
export const parsePeppers = (text: string): Peppers => {
  const peppers = text.split(',').map((part): Pepper => {
    const [, version, secret] = /^\s*([1-9]\d{0,5}):(\S{16,})\s*$/.exec(part) ?? []
    if (version === undefined || secret === undefined) throw new Error(`Peppers must be given ${form}`)
    return { version: Number(version), secret }
  })
  const [current, ...older] = peppers.sort((a, b) => b.version - a.version)
  if (current === undefined || peppers.length > 8 || new Set(peppers.map((p) => p.version)).size < peppers.length) {
    throw new Error(`Peppers must be given ${form}`)
  }
  return [current, ...older]
}

/** `parsePeppers` as a schema for a service's environment. */
export const peppersSchema = z.string().transform((text, context): Peppers => {
  try {
    return parsePeppers(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})

/** HMAC-SHA-256 in hex. */
export const digestApiKey = (key: string, { version, secret }: Pepper): KeyDigest => ({
  pepper_version: version,
  digest: createHmac('sha256', secret).update(key).digest('hex'),
})

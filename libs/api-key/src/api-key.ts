/**
 * A key reads `awp_prd_` or `awp_dev_`, 32 base62 characters of randomness (190 bits), 6 base62 characters of CRC-32
 * over all that precedes. The sum lets a typo or a leaked fragment be told from a key without a look-up.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'

/** The installation that a key is good for: production or development. */
export const keyEnvironmentSchema = z.enum(['prd', 'dev'])
export type KeyEnvironment = z.infer<typeof keyEnvironmentSchema>

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
const keyPattern = /^awp_(prd|dev)_[0-9A-Za-z]{38}$/

const randomBase62 = (length: number): string => {
  // Bytes that would wrap around are thrown away: the first characters of the alphabet would come more often.
  const evenBelow = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < evenBelow && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ''
  for (let n = 0; n < checksumLength; n++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

export const createApiKey = (environment: KeyEnvironment): string => {
  const body = `awp_${environment}_${randomBase62(randomLength)}`
  return body + checksum(body)
}

/** Undefined for what cannot be a key: another shape, or a sum that does not fit. */
export const parseApiKey = (text: string): { environment: KeyEnvironment } | undefined => {
  const environment = keyPattern.exec(text)?.[1] as KeyEnvironment | undefined
  if (environment === undefined) return undefined
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength) ? { environment } : undefined
}

/** What a person may see of a key in a list: enough to know it by, too little to guess it. */
export const visiblePrefix = (key: string): string => key.slice(0, 'awp_prd_'.length + 4)

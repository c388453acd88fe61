/**
 * Secrets that cannot be guessed and show their kind: a prefix, 32 random base62 characters (190 bits) and 6 base62
 * characters of CRC-32 over all that precedes. The checksum reveals typing errors and fragments without a look-up.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
const tailPattern = /^[0-9A-Za-z]{38}$/

const randomBase62 = (length: number): string => {
  // Bytes that would wrap around are discarded. Otherwise the first characters of the alphabet would be more frequent.
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

/** A new secret: the prefix, random base62 digits, and a checksum of both. */
export const createSecretText = (prefix: string): string => {
  const body = prefix + randomBase62(randomLength)
  return body + checksum(body)
}

/** Returns false for a text that has another form or a wrong checksum. */
export const isSecretText = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) &&
  tailPattern.test(text.slice(prefix.length)) &&
  checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

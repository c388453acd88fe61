/**
 * What a feed's path is signed with: whose calendar it is and its generation, encrypted, under an HMAC of just that. The HMAC
 * is the cipher's initial vector as well, so a calendar has one path, nobody reads an id in it, and nobody makes one up.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { CalendarOwner } from './calendar-repository.js'

export interface SignedCalendar extends CalendarOwner {
  /** 8 bytes. */
  readonly generation: Buffer
}

export interface FeedSignatures {
  sign(calendar: SignedCalendar): string
  /** Undefined for what was not signed with this key. */
  read(signature: string): SignedCalendar | undefined
}

const cipher = 'aes-256-ctr'
const macBytes = 16
const contentBytes = 16 + 16 + 8
const form = new RegExp(`^[\\w-]{${Math.ceil(((macBytes + contentBytes) * 4) / 3)}}$`)

const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export const createFeedSignatures = (key: string): FeedSignatures => {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `calendar feed ${purpose}`, 32))
  const [macKey, cipherKey] = [derived('mac'), derived('cipher')]
  const mac = (content: Buffer) => createHmac('sha256', macKey).update(content).digest().subarray(0, macBytes)

  return {
    sign({ workspaceId, endUserId, generation }) {
      const content = Buffer.concat([idBytes(workspaceId), idBytes(endUserId), generation])
      const iv = mac(content)
      return Buffer.concat([iv, createCipheriv(cipher, cipherKey, iv).update(content)]).toString('base64url')
    },

    read(signature) {
      if (!form.test(signature)) return undefined
      const bytes = Buffer.from(signature, 'base64url')
      // What encodes the same bytes in another way is another text, and none of ours.
      if (bytes.length !== macBytes + contentBytes || bytes.toString('base64url') !== signature) return undefined
      const iv = bytes.subarray(0, macBytes)
      const content = createDecipheriv(cipher, cipherKey, iv).update(bytes.subarray(macBytes))
      if (!timingSafeEqual(mac(content), iv)) return undefined
      return {
        workspaceId: idOf(content.subarray(0, 16)),
        endUserId: idOf(content.subarray(16, 32)),
        generation: content.subarray(32),
      }
    },
  }
}

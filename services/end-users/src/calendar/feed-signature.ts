/**
 * Signs the paths of feeds. A signature is an HMAC of the workspace, the end user and the generation of the calendar, followed by
 * the same three, encrypted with the HMAC as the initialization vector. So a calendar has one path, which shows no id and cannot
 * be forged.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { CalendarOwner } from './calendar-repository.js'

interface SignedCalendar extends CalendarOwner {
  /** 8 bytes. */
  readonly generation: Buffer
}

const cipher = 'aes-256-ctr'
const macBytes = 16
const contentBytes = 16 + 16 + 8
const form = new RegExp(`^[\\w-]{${Math.ceil(((macBytes + contentBytes) * 4) / 3)}}$`)

const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export const createFeedSignatures = (key: string) => {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `calendar feed ${purpose}`, 32))
  const [macKey, cipherKey] = [derived('mac'), derived('cipher')]
  const mac = (content: Buffer) => createHmac('sha256', macKey).update(content).digest().subarray(0, macBytes)

  return {
    sign({ workspaceId, endUserId, generation }: SignedCalendar): string {
      const content = Buffer.concat([idBytes(workspaceId), idBytes(endUserId), generation])
      const iv = mac(content)
      return Buffer.concat([iv, createCipheriv(cipher, cipherKey, iv).update(content)]).toString('base64url')
    },

    /** Undefined for a signature by another key. */
    read(signature: string): SignedCalendar | undefined {
      if (!form.test(signature)) return undefined
      const bytes = Buffer.from(signature, 'base64url')
      // Base64 can encode the same bytes in several ways. Only the one that `sign` writes is accepted.
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

export type FeedSignatures = ReturnType<typeof createFeedSignatures>

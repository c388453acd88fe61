import { isIP } from 'node:net'

/**
 * The name that passkeys belong to; undefined where people cannot have any. Browsers make none for an IP address, and none
 * over HTTP but on this machine.
 */
export const relyingPartyOf = (publicUrl: string | undefined): string | undefined => {
  if (publicUrl === undefined) return undefined
  const { protocol, hostname } = new URL(publicUrl)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return !isAddress && (protocol === 'https:' || hostname === 'localhost') ? hostname : undefined
}

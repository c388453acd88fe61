import { isIP } from 'node:net'

/**
 * The domain of passkeys; undefined when passkeys are not possible. Browsers create none for an IP address, and over HTTP
 * only on this machine.
 */
export const relyingPartyOf = (publicUrl: string | undefined): string | undefined => {
  if (publicUrl === undefined) return undefined
  const { protocol, hostname } = new URL(publicUrl)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return !isAddress && (protocol === 'https:' || hostname === 'localhost') ? hostname : undefined
}

import { createHmac } from 'node:crypto'
import type { IceServer } from '@parlance/contracts'

/** How long the credentials of a TURN server are valid before a conversation starts, in seconds. */
export const iceServerTtlSeconds = 600

interface IceServerOptions {
  /** `stun:host:port`. */
  readonly stunUrls: readonly string[]
  /** `turn:host:port?transport=udp`, `turns:…`. */
  readonly turnUrls: readonly string[]
  /** Shared with the TURN server; without it the TURN servers are left out. */
  readonly turnSecret: string | undefined
}

/**
 * The ICE servers for one client. The username contains the time at which the credentials expire, and the TURN server derives
 * the same password from it. `name` appears in the logs of that server, so it must not be personal data.
 */
export const iceServers = (
  options: IceServerOptions,
  name: string,
  nowMs: number,
  ttlSeconds = iceServerTtlSeconds,
): IceServer[] => {
  const { stunUrls, turnUrls, turnSecret } = options
  const servers: IceServer[] = []
  if (stunUrls.length > 0) servers.push({ urls: [...stunUrls] })
  if (turnUrls.length > 0 && turnSecret !== undefined) {
    const username = `${Math.floor(nowMs / 1000) + ttlSeconds}:${name}`
    const credential = createHmac('sha1', turnSecret).update(username).digest('base64')
    servers.push({ urls: [...turnUrls], username, credential })
  }
  return servers
}

import { createHmac } from 'node:crypto'
import type { iceServersSchema } from '@parlance/contracts'
import type { z } from 'zod'

export interface IceServersOptions {
  readonly stunUrls: readonly string[]
  readonly turnUrls: readonly string[]
  /** What the TURN servers check credentials with; undefined when there are none. */
  readonly turnSecret: string | undefined
  /** In ms since 1970. */
  readonly now?: () => number
}

export interface IceServers {
  /** The servers, with credentials that hold for a while. */
  forPeer(): z.infer<typeof iceServersSchema>
}

const ttlSeconds = 600

/**
 * Credentials for TURN are made of a secret that is shared with the servers, as coturn's `use-auth-secret` has it: the name is
 * the second at which they run out, and the password its HMAC-SHA-1.
 */
export const createIceServers = ({
  stunUrls,
  turnUrls,
  turnSecret,
  now = Date.now,
}: IceServersOptions): IceServers => ({
  forPeer() {
    const ice_servers = []
    if (stunUrls.length > 0) ice_servers.push({ urls: [...stunUrls] })
    if (turnUrls.length > 0 && turnSecret !== undefined) {
      const username = String(Math.floor(now() / 1000) + ttlSeconds)
      const credential = createHmac('sha1', turnSecret).update(username).digest('base64')
      ice_servers.push({ urls: [...turnUrls], username, credential })
    }
    return { ice_servers, ttl_seconds: ttlSeconds }
  },
})

import { readFileSync } from 'node:fs'
import type { GatewayEnv } from '../env.js'

/** Settings that are the same for all workspaces. */
export interface Installation {
  /** The version of Parlance. */
  readonly version: string
  /** The kind of keys that it accepts: for production or for development. */
  readonly keyEnvironment: GatewayEnv['API_KEY_ENVIRONMENT']
  /** How many requests a workspace may send in a minute; 0 for no limit. */
  readonly requestsPerMinute: number
}

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

export const installationOf = ({
  API_KEY_ENVIRONMENT,
  RATE_LIMIT_PER_MINUTE,
}: Pick<GatewayEnv, 'API_KEY_ENVIRONMENT' | 'RATE_LIMIT_PER_MINUTE'>): Installation => ({
  version,
  keyEnvironment: API_KEY_ENVIRONMENT,
  requestsPerMinute: RATE_LIMIT_PER_MINUTE,
})

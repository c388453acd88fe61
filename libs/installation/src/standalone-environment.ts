import { resolve } from 'node:path'
import type { Environment } from '@parlance/runtime'
import { openSecrets } from './secrets.js'

export interface StandaloneEnvironment {
  /** For the services: what was given, filled up with what suits one machine. */
  environment: Environment
  dataFolder: string
  /** Where clients on this machine reach the API. */
  url: string
}

/** An address to listen on is not always one to call: `0.0.0.0` means all of them. */
const callable = (host: string) =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

/** Where an installation keeps what is its own. */
export const dataFolderOf = (given: Environment): string => resolve(given.PARLANCE_DATA || '.parlance')

/** Makes the secrets of an installation where there are none yet. Rejects with `StartupError`. */
export const openStandaloneEnvironment = async (given: Environment): Promise<StandaloneEnvironment> => {
  const host = given.HOST || '127.0.0.1'
  const port = given.PORT || '8080'
  const dataFolder = dataFolderOf(given)
  const hasFeedKey = Boolean(given.CALENDAR_FEED_KEY || given.CALENDAR_FEED_KEY_FILE)
  const secrets = await openSecrets(dataFolder, [
    ...(given.API_KEY_PEPPERS ? [] : (['api_key_peppers'] as const)),
    ...(hasFeedKey ? [] : (['calendar_feed_key'] as const)),
  ])
  return {
    environment: {
      ...given,
      HOST: host,
      PORT: port,
      PARLANCE_DATA: dataFolder,
      LOG_LEVEL: given.LOG_LEVEL || 'warn',
      API_KEY_ENVIRONMENT: given.API_KEY_ENVIRONMENT || 'dev',
      API_KEY_PEPPERS: given.API_KEY_PEPPERS || secrets.api_key_peppers,
      CALENDAR_FEED_KEY: hasFeedKey ? given.CALENDAR_FEED_KEY : secrets.calendar_feed_key,
    },
    dataFolder,
    url: `http://${callable(host)}:${port}`,
  }
}

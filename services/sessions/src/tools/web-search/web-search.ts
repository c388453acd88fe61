import { createEgressClient, type EgressClient, everyPlace } from '@parlance/egress'
import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import type { OpenTools } from '../open-tools.js'
import { createBraveSearchEngine } from './brave-search-engine.js'
import type { SearchConfig } from './search-config.js'
import type { SearchEngine } from './search-engine.js'
import { createSearxngSearchEngine } from './searxng-search-engine.js'
import { createOpenWebSearch, mostResults } from './web-search-tool.js'

export interface WebSearch {
  readonly openTools: OpenTools
  close(): Promise<void>
}

/** Longer than people pause between two turns: the next search then needs no new TLS handshake. */
const keepMs = 60_000

const engineOf = (config: SearchConfig, client: EgressClient, readSecret: ReadSecret): SearchEngine | undefined => {
  const { SEARCH_SEARXNG_URL: searxngUrl, SEARCH_BRAVE_URL: braveUrl } = config
  const apiKey = readSecretSetting(config, 'SEARCH_BRAVE_API_KEY', readSecret)
  if (searxngUrl !== undefined && apiKey !== undefined) {
    throw new StartupError(['SEARCH_SEARXNG_URL and SEARCH_BRAVE_API_KEY are both set. Set one of them.'])
  }
  if (searxngUrl !== undefined) return createSearxngSearchEngine({ client, baseUrl: searxngUrl })
  if (apiKey === undefined) return undefined
  // A line's end in a header is an error of its own, which would quote the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new StartupError(['SEARCH_BRAVE_API_KEY holds characters that no key has.'])
  return createBraveSearchEngine({ client, baseUrl: braveUrl, apiKey, count: mostResults })
}

/** What the environment gives. Nobody is asked until an Agent searches. Throws `StartupError`. */
export const createWebSearch = (
  config: SearchConfig,
  { logger, readSecret }: { readonly logger: Logger; readonly readSecret: ReadSecret },
): WebSearch => {
  // The operator chose the address, which may well be one of his own network.
  const client = createEgressClient({ allow: everyPlace, keepMs })
  const engine = engineOf(config, client, readSecret)
  if (engine !== undefined) logger.info({ implementation: engine.name }, 'Agents may search the web')
  return { openTools: createOpenWebSearch({ engine, logger }), close: client.close }
}

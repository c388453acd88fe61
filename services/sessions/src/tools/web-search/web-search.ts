import { createEgressClient, type EgressClient, everyPlace } from '@parlance/egress'
import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'
import type { OpenTools } from '../open-tools.js'
import { createBraveSearchEngine } from './brave-search-engine.js'
import type { SearchConfig } from './search-config.js'
import type { SearchEngine } from './search-engine.js'
import { createSearxngSearchEngine } from './searxng-search-engine.js'
import { createOpenWebSearch, maxResults } from './web-search-tool.js'

export interface WebSearch {
  readonly openTools: OpenTools
  close(): Promise<void>
}

/** Longer than the usual pause between two turns, so that the next search needs no new TLS handshake. */
const keepMs = 60_000

const engineOf = (config: SearchConfig, client: EgressClient, readSecret: ReadSecret): SearchEngine | undefined => {
  const { SEARCH_SEARXNG_URL: searxngUrl, SEARCH_BRAVE_URL: braveUrl } = config
  const apiKey = readSecretSetting(config, 'SEARCH_BRAVE_API_KEY', readSecret)
  if (searxngUrl !== undefined && apiKey !== undefined) {
    throw new StartupError(['SEARCH_SEARXNG_URL and SEARCH_BRAVE_API_KEY are both set. Set one of them.'])
  }
  if (searxngUrl !== undefined) return createSearxngSearchEngine({ client, baseUrl: searxngUrl })
  if (apiKey === undefined) return undefined
  // The HTTP client would quote the key in its error for an invalid header.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new StartupError(['SEARCH_BRAVE_API_KEY contains characters that a key cannot have.'])
  return createBraveSearchEngine({ client, baseUrl: braveUrl, apiKey, count: maxResults })
}

/** Opens the search engine of the environment. No request is sent before the first search. Throws `StartupError`. */
export const createWebSearch = (
  config: SearchConfig,
  { logger, readSecret }: { readonly logger: Logger; readonly readSecret: ReadSecret },
): WebSearch => {
  // The operator chose the address, which may be in a private network.
  const client = createEgressClient({ allow: everyPlace, keepMs })
  const engine = engineOf(config, client, readSecret)
  if (engine !== undefined) logger.info({ implementation: engine.name }, 'Agents may search the web')
  return { openTools: createOpenWebSearch({ engine, logger }), close: client.close }
}

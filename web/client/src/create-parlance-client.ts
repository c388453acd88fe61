import { browserParts } from './browser-parts.js'
import type { ParlanceClientOptions } from './client-options.js'
import { createClient } from './create-client.js'
import type { ParlanceClient } from './parlance-client.js'

/** Does no I/O until `connect`. Throws `ParlanceError` `invalid_options`, such as "agentId must be a UUID". */
export const createParlanceClient = (options: ParlanceClientOptions): ParlanceClient =>
  createClient(options, browserParts)

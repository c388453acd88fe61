import type { OpenToolsOptions } from '../tools/open-tools.js'

/** Whose conversation it is, with which Agent, under which ids. The config is that of the published revision for this user. */
export interface CallDetails extends OpenToolsOptions {
  /** Of the API key that the session token was minted with. */
  readonly keyId: string
  /** The W3C trace context of the request that started it; present only when that trace is sampled. */
  readonly traceparent?: string | undefined
}

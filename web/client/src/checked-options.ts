import type {
  ConnectOptions,
  InputMode,
  ParlanceClientOptions,
  SessionOverrides,
  TransportKind,
} from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'

const invalid = (message: string): ParlanceError => new ParlanceError('invalid_options', message)

const isUuid = (text: unknown): boolean =>
  typeof text === 'string' && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)

/** Throws `ParlanceError` `invalid_options`. The origin has no slash at its end. */
export const checkOptions = (options: ParlanceClientOptions): { origin: string; transport: TransportKind } => {
  const { agentId, sessionToken, apiOrigin, transport = 'webrtc', traceparent } = options
  if (!isUuid(agentId)) throw invalid('agentId must be a UUID: the id of a published Agent, not its slug.')
  if (typeof sessionToken !== 'function') throw invalid('sessionToken must be a function that returns a fresh token.')
  // A page that is rendered on a server has no origin, and does not connect.
  const origin = apiOrigin ?? globalThis.location?.origin ?? ''
  if (apiOrigin !== undefined && !/^https?:\/\/[^/]/.test(origin)) {
    throw invalid('apiOrigin must be an address such as https://voice.example.com.')
  }
  if (transport !== 'webrtc' && transport !== 'websocket') throw invalid('transport must be webrtc or websocket.')
  if (traceparent !== undefined && typeof traceparent !== 'function') {
    throw invalid('traceparent must be a function that returns a header, or undefined.')
  }
  return { transport, origin: origin.replace(/\/+$/, '') }
}

export interface CheckedConnectOptions {
  readonly inputMode: InputMode
  readonly textOnly: boolean
  readonly overrides: SessionOverrides | undefined
  readonly signal: AbortSignal | undefined
}

/** Throws `ParlanceError` `invalid_options`. */
export const checkConnectOptions = (options: ConnectOptions): CheckedConnectOptions => {
  const { inputMode = 'push-to-talk', textOnly = false, overrides, signal } = options
  if (inputMode !== 'push-to-talk' && inputMode !== 'automatic') {
    throw invalid('inputMode must be push-to-talk or automatic.')
  }
  return { inputMode, textOnly, overrides, signal }
}

export const checkVolume = (volume: number): void => {
  if (!(volume >= 0 && volume <= 1)) throw invalid('The volume must be from 0 to 1.')
}

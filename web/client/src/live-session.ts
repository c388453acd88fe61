import type { Disconnection } from './client-events.js'
import type { Connection, ConnectionListener } from './connection.js'
import type { ClientMessage } from './messages.js'
import { readServerEvent, type ServerEvent } from './messages.js'
import type { SessionMicrophone } from './microphone.js'
import type { PlayingSpeech } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'
import { type SessionSpeech, watchSpeech } from './speech-clock.js'

const details: Readonly<Record<string, string>> = {
  user_disconnected: 'The user hung up.',
  agent_ended: 'The Agent hung up.',
  api_ended: 'The session was ended by the API.',
  silence_timeout: 'There was silence for too long.',
  max_duration: 'The session has reached its maximum duration.',
  connection_lost: 'The connection was lost.',
  connection_failed: 'Audio cannot reach the service.',
  ice_failed: 'Audio cannot reach the service.',
  insufficient_credit: 'There is no credit left.',
  drained: 'The service is being restarted. Connect again.',
}
const failed = 'Something went wrong at the service. Connect again.'

/** Reasons that an `error` event precedes. */
const withError = /_error$|^insufficient_credit$/

/** `failure` is the error of the last `error` event. */
export const describeEnd = (reason: string, failure: ParlanceError | undefined): Disconnection => {
  const error = withError.test(reason) ? failure : undefined
  return { reason, code: error?.code ?? null, detail: error?.message ?? details[reason] ?? failed }
}

/**
 * Notices that the service no longer answers. It counts pings and not time, so that a suspended page does not
 * mistake its own pause for a silence of the service.
 */
interface Liveness {
  /** A message of the service was received, or the connection is open again. */
  received(): void
  close(): void
}

/** The service treats a page that sends nothing for 12 s as lost. */
const pingIntervalMs = 5_000
const unansweredPingsUntilAway = 2
/** By then the service has ended the session. */
const unansweredPingsUntilLost = 4

const watchLiveness = (options: {
  readonly ping: () => void
  readonly onAway: () => void
  readonly onLost: () => void
}): Liveness => {
  let unanswered = 0
  const timer = setInterval(() => {
    unanswered++
    if (unanswered === unansweredPingsUntilLost) {
      clearInterval(timer)
      options.onLost()
      return
    }
    if (unanswered === unansweredPingsUntilAway) options.onAway()
    options.ping()
  }, pingIntervalMs)

  return {
    received() {
      unanswered = 0
    },
    close: () => clearInterval(timer),
  }
}

export interface SessionListener {
  /** The microphone is on, and the connection is being opened. */
  onConnecting(): void
  onEvent(event: ServerEvent): void
  onTrack(track: MediaStreamTrack): void
  /** The network was lost, or is back. */
  onConnectivity(isConnected: boolean): void
  /** The session continues. */
  onError(error: ParlanceError): void
  onEnd(end: Disconnection): void
}

const readyLimitMs = 15_000

/**
 * One session: its microphone and its connection.
 *
 * - `opening`: until `open`. An error rejects `whenReady`. Only tracks are passed to the listener.
 * - `open`: the listener is called with what the service sends.
 * - `closed`: the microphone is off and the connection is closed. The listener is not called.
 */
export class LiveSession {
  readonly #microphone: SessionMicrophone
  readonly #listener: SessionListener
  readonly #ready: Promise<void>
  #settleReady: (error?: ParlanceError) => void = () => {}
  #phase: 'opening' | 'open' | 'closed' = 'opening'
  #connection: Connection | undefined
  #liveness: Liveness | undefined
  #speech: SessionSpeech | undefined
  #isConnected = true
  /** The last error of the service, which may be why the session ends. */
  #failure: ParlanceError | undefined

  constructor(microphone: SessionMicrophone, listener: SessionListener) {
    this.#microphone = microphone
    this.#listener = listener
    this.#ready = new Promise((resolve, reject) => {
      this.#settleReady = (error) => (error === undefined ? resolve() : reject(error))
    })
    // It may reject before it is awaited.
    this.#ready.catch(() => {})
  }

  get isOpen(): boolean {
    return this.#phase === 'open'
  }

  /** False while the network is lost. */
  get isConnected(): boolean {
    return this.#isConnected
  }

  /** The listener of the connection that will be passed to `connect`. */
  get connectionListener(): ConnectionListener {
    return {
      onMessage: (data) => this.#onMessage(data),
      onTrack: (track) => this.#phase !== 'closed' && this.#listener.onTrack(track),
      onConnectivity: (isConnected) => this.#setConnectivity(isConnected),
      onClosed: () => this.#endWith('connection_lost'),
    }
  }

  connect(connection: Connection): void {
    this.#connection = connection
  }

  /** Resolves when the service has sent `session.ready`. Rejects with a `ParlanceError`. */
  async whenReady(signal: AbortSignal, aborted: () => ParlanceError): Promise<void> {
    const giveUp = () => this.#settleReady(aborted())
    const timer = setTimeout(() => this.#endWith('connection_failed'), readyLimitMs)
    signal.addEventListener('abort', giveUp)
    try {
      await this.#ready
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** To be called when the service is ready. */
  open(connection: Connection): void {
    this.#speech = watchSpeech(connection)
    this.#phase = 'open'
    this.#liveness = watchLiveness({
      ping: () => this.send({ event: 'ping' }),
      onAway: () => connection.reconnect(),
      onLost: () => this.#endWith('connection_lost'),
    })
  }

  send(message: ClientMessage): void {
    this.#connection?.send(JSON.stringify(message))
  }

  playingSpeech(latencyMs: number): PlayingSpeech | undefined {
    return this.isOpen ? this.#speech?.playing(latencyMs) : undefined
  }

  close(): void {
    this.#phase = 'closed'
    this.#microphone.close()
    this.#connection?.close()
    this.#liveness?.close()
    this.#speech?.close()
  }

  /** The session has ended, other than by `close`. */
  #endWith(reason: string): void {
    const end = describeEnd(reason, this.#failure)
    if (this.#phase === 'opening') {
      this.#settleReady(this.#failure ?? new ParlanceError('connection_failed', end.detail, { retryable: true }))
    }
    if (this.#phase !== 'open') return
    this.close()
    this.#listener.onEnd(end)
  }

  #setConnectivity(now: boolean): void {
    if (now) this.#liveness?.received()
    if (this.#isConnected === now) return
    this.#isConnected = now
    if (this.isOpen) this.#listener.onConnectivity(now)
  }

  #onMessage(data: unknown): void {
    this.#setConnectivity(true)
    const event = readServerEvent(data)
    if (this.#phase !== 'closed' && event !== undefined) this.#onServerEvent(event)
  }

  #onServerEvent(event: ServerEvent): void {
    if (event.event === 'session.ready') this.#settleReady()
    else if (event.event === 'session.ended') this.#endWith(event.reason)
    else if (event.event === 'error') {
      const { code, detail, retryable, request_id: requestId } = event
      this.#failure = new ParlanceError(code, detail, { retryable, requestId })
      if (this.isOpen) this.#listener.onError(this.#failure)
    } else if (this.isOpen) {
      this.#speech?.onEvent(event)
      this.#listener.onEvent(event)
    }
  }
}

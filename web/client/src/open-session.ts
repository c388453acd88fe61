/**
 * One session, from the microphone to its end.
 *
 * - Whatever ends the session, the microphone is off and the connection is closed before the listener is called.
 * - `onEnd` is called once for a session that was opened, and no other listener afterwards. A session that could not be
 *   opened rejects, calls no listener, and leaves nothing behind, in the page or at the service.
 */
import type { BrowserParts } from './browser-parts.js'
import type { Disconnection } from './client-events.js'
import type { ClientMessage } from './client-message.js'
import type { InputMode, TransportKind } from './client-options.js'
import type { Connection } from './connection.js'
import { describeEnd } from './describe-end.js'
import { fetchToken } from './fetch-token.js'
import { type Liveness, watchLiveness } from './liveness.js'
import { ParlanceError } from './parlance-error.js'
import type { PlayingSpeech } from './playing-speech.js'
import { readServerEvent, type ServerEvent } from './server-event.js'
import type { Session } from './session.js'
import { createSessionApi, type SessionApi, type StartedSession } from './session-api.js'
import { createSessionMicrophone, type SessionMicrophone } from './session-microphone.js'
import { type SessionSpeech, watchSpeech } from './session-speech.js'
import { clientVersion } from './version.js'

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

export interface OpenSessionOptions {
  readonly parts: BrowserParts
  readonly transport: TransportKind
  readonly origin: string
  readonly agentId: string
  readonly token: () => string | Promise<string>
  readonly inputMode: InputMode
  readonly textOnly: boolean
  readonly inputDevice: string | undefined
  /** Aborts opening. */
  readonly signal: AbortSignal
  /** Whether the audio of the microphone is sent. */
  readonly isSent: () => boolean
  readonly listener: SessionListener
}

export interface OpenedSession {
  readonly session: Session
  send(message: ClientMessage): void
  readonly microphone: Pick<SessionMicrophone, 'track' | 'use' | 'apply'>
  playingSpeech(latencyMs: number): PlayingSpeech | undefined
  /** The user hangs up, or leaves the page. Everything is off when this returns. Resolves when the service knows. */
  end(leaving: boolean): Promise<void>
}

const readyLimitMs = 15_000

/** Rejects with a `ParlanceError`. */
export const openSession = async (options: OpenSessionOptions): Promise<OpenedSession> => {
  const { parts, transport, origin, agentId, inputMode, textOnly, signal, listener } = options
  const microphone = createSessionMicrophone({
    openMicrophone: parts.openMicrophone,
    isSent: options.isSent,
    onLost: (error) => listener.onError(error),
  })
  let phase: 'opening' | 'open' | 'closed' = 'opening'
  let connection: Connection | undefined
  let started: StartedSession | undefined
  let liveness: Liveness | undefined
  let speech: SessionSpeech | undefined
  let isConnected = true
  /** The last error of the service, which may be why the session ends. */
  let failure: ParlanceError | undefined
  let hangUp = async (): Promise<void> => {}
  let settleReady: (error?: ParlanceError) => void = () => {}

  const close = (): void => {
    phase = 'closed'
    microphone.close()
    connection?.close()
    liveness?.close()
    speech?.close()
  }

  /** The session has ended, other than by `end`. */
  const endWith = (reason: string): void => {
    const end = describeEnd(reason, failure)
    if (phase === 'opening')
      settleReady(failure ?? new ParlanceError('connection_failed', end.detail, { retryable: true }))
    if (phase !== 'open') return
    close()
    listener.onEnd(end)
  }

  const setConnectivity = (now: boolean): void => {
    if (isConnected === now) return
    isConnected = now
    if (phase === 'open') listener.onConnectivity(now)
  }

  const send = (message: ClientMessage): void => connection?.send(JSON.stringify(message))

  const onServerEvent = (event: ServerEvent): void => {
    if (event.event === 'session.ready') settleReady()
    else if (event.event === 'session.ended') endWith(event.reason)
    else if (event.event === 'error') {
      failure = new ParlanceError(event.code, event.detail, { retryable: event.retryable, requestId: event.request_id })
      if (phase === 'open') listener.onError(failure)
    } else if (phase === 'open') {
      speech?.onEvent(event)
      listener.onEvent(event)
    }
  }

  const aborted = (): ParlanceError =>
    new ParlanceError('aborted', 'Connecting was given up.', { cause: signal.reason })
  const checkAborted = (): void => {
    if (signal.aborted) throw aborted()
  }

  const startAt =
    (api: SessionApi) =>
    async (transport: object): Promise<StartedSession> => {
      checkAborted()
      started = await api.start({
        ...transport,
        input_mode: inputMode,
        client: { name: '@parlance/client', version: clientVersion },
      })
      checkAborted()
      return started
    }

  /** Resolves when the service has sent `session.ready`. */
  const whenReady = async (ready: Promise<void>): Promise<void> => {
    const giveUp = () => settleReady(aborted())
    const timer = setTimeout(() => endWith('connection_failed'), readyLimitMs)
    signal.addEventListener('abort', giveUp)
    try {
      await ready
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  const open = async (): Promise<void> => {
    checkAborted()
    if (!textOnly) {
      await microphone.open(options.inputDevice)
      checkAborted()
      listener.onConnecting()
    }
    const token = await fetchToken(options.token)
    checkAborted()
    const api = createSessionApi({ origin, agentId, token, fetch: parts.fetch })
    hangUp = async () => {
      if (started !== undefined) await api.hangUp(started.session_id)
    }
    const ready = new Promise<void>((resolve, reject) => {
      settleReady = (error) => (error === undefined ? resolve() : reject(error))
    })
    // It may reject before it is awaited.
    ready.catch(() => {})
    connection = await parts.openConnection[transport]({
      token,
      microphone: microphone.track(),
      iceServers: () => api.iceServers(signal),
      start: startAt(api),
      listener: {
        onMessage(data) {
          liveness?.received()
          setConnectivity(true)
          const event = readServerEvent(data)
          if (phase !== 'closed' && event !== undefined) onServerEvent(event)
        },
        onTrack: (track) => phase !== 'closed' && listener.onTrack(track),
        onConnectivity: setConnectivity,
        onClosed: () => endWith('connection_lost'),
      },
    })
    checkAborted()
    microphone.sendTo(connection.setMicrophone)
    await whenReady(ready)
    checkAborted()
    speech = watchSpeech(connection)
  }

  try {
    await open()
  } catch (error) {
    close()
    void hangUp()
    throw error
  }

  phase = 'open'
  liveness = watchLiveness({
    ping: () => send({ event: 'ping' }),
    onAway: () => setConnectivity(false),
    onLost: () => endWith('connection_lost'),
  })

  return {
    session: sessionOf(started!, { inputMode, textOnly }),
    send,
    microphone,
    playingSpeech: (latencyMs) => (phase === 'open' ? speech?.playing(latencyMs) : undefined),
    async end(leaving) {
      if (phase !== 'open') return
      close()
      // While the network is there, the service notices that the connection was closed, but maybe not when the page is left.
      if (leaving || !isConnected) await hangUp()
    },
  }
}

const sessionOf = (
  { session_id, agent_id, publication, max_duration_seconds, avatar }: StartedSession,
  asked: Pick<Session, 'inputMode' | 'textOnly'>,
): Session => ({
  id: session_id,
  agentId: agent_id,
  publication,
  ...asked,
  maxDurationSeconds: max_duration_seconds,
  avatar,
})

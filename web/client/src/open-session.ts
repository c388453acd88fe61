/**
 * One session, from nothing to its end.
 *
 * - Whatever ends it, on whichever way: the microphone is off and the link closed before anybody is told.
 * - `onEnd` is called once for a session that was opened, and nothing is told afterwards; one that could not be opened rejects,
 *   tells nothing, and leaves nothing, at the service neither.
 */
import type { BrowserParts } from './browser-parts.js'
import type { Disconnection } from './client-events.js'
import type { ClientMessage } from './client-message.js'
import type { InputMode, TransportKind } from './client-options.js'
import { describeEnd } from './describe-end.js'
import type { HeardSpeech } from './heard-speech.js'
import type { Link } from './link.js'
import { type Liveness, watchLiveness } from './liveness.js'
import { ParlanceError } from './parlance-error.js'
import { readServerEvent, type ServerEvent } from './server-event.js'
import type { Session } from './session.js'
import { createSessionApi, type SessionApi, type StartedSession } from './session-api.js'
import { createSessionMicrophone, type SessionMicrophone } from './session-microphone.js'
import { type SessionSpeech, watchSpeech } from './session-speech.js'
import { takeToken } from './take-token.js'
import { clientVersion } from './version.js'

export interface SessionListener {
  /** Whether a link is being opened, after the microphone was. */
  onConnecting(): void
  onEvent(event: ServerEvent): void
  onTrack(track: MediaStreamTrack): void
  /** Whether the network carries the session. */
  onCarried(carried: boolean): void
  /** It goes on all the same. */
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
  /** Given up when it aborts. */
  readonly signal: AbortSignal
  /** Whether what the microphone hears is sent. */
  readonly isHeard: () => boolean
  readonly listener: SessionListener
}

export interface OpenedSession {
  readonly session: Session
  send(message: ClientMessage): void
  readonly microphone: Pick<SessionMicrophone, 'track' | 'use' | 'apply'>
  heardSpeech(latencyMs: number): HeardSpeech | undefined
  /** The user hangs up, or leaves the page: everything is off when this returns. Resolves when the service knows. */
  end(leaving: boolean): Promise<void>
}

const readyWithinMs = 15_000

/** Rejects with a `ParlanceError`. */
export const openSession = async (options: OpenSessionOptions): Promise<OpenedSession> => {
  const { parts, transport, origin, agentId, inputMode, textOnly, signal, listener } = options
  const microphone = createSessionMicrophone({
    openMicrophone: parts.openMicrophone,
    isHeard: options.isHeard,
    onLost: (error) => listener.onError(error),
  })
  let phase: 'opening' | 'open' | 'closed' = 'opening'
  let link: Link | undefined
  let started: StartedSession | undefined
  let liveness: Liveness | undefined
  let speech: SessionSpeech | undefined
  let carried = true
  /** The last that was told; it may be why the session ends. */
  let failure: ParlanceError | undefined
  let hangUp = async (): Promise<void> => {}
  let settleReady: (error?: ParlanceError) => void = () => {}

  const close = (): void => {
    phase = 'closed'
    microphone.close()
    link?.close()
    liveness?.close()
    speech?.close()
  }

  /** It ended by itself. */
  const endWith = (reason: string): void => {
    const end = describeEnd(reason, failure)
    if (phase === 'opening')
      settleReady(failure ?? new ParlanceError('connection_failed', end.detail, { retryable: true }))
    if (phase !== 'open') return
    close()
    listener.onEnd(end)
  }

  const setCarried = (now: boolean): void => {
    if (carried === now) return
    carried = now
    if (phase === 'open') listener.onCarried(now)
  }

  const send = (message: ClientMessage): void => link?.send(JSON.stringify(message))

  const takeEvent = (event: ServerEvent): void => {
    if (event.event === 'session.ready') settleReady()
    else if (event.event === 'session.ended') endWith(event.reason)
    else if (event.event === 'error') {
      failure = new ParlanceError(event.code, event.detail, { retryable: event.retryable, requestId: event.request_id })
      if (phase === 'open') listener.onError(failure)
    } else if (phase === 'open') {
      speech?.take(event)
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

  /** The service says so when it can be talked to. */
  const whenReady = async (ready: Promise<void>): Promise<void> => {
    const giveUp = () => settleReady(aborted())
    const timer = setTimeout(() => endWith('connection_failed'), readyWithinMs)
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
    const token = await takeToken(options.token)
    checkAborted()
    const api = createSessionApi({ origin, agentId, token, fetch: parts.fetch })
    hangUp = async () => {
      if (started !== undefined) await api.hangUp(started.session_id)
    }
    const ready = new Promise<void>((resolve, reject) => {
      settleReady = (error) => (error === undefined ? resolve() : reject(error))
    })
    // It may be given up before anybody waits for it.
    ready.catch(() => {})
    link = await parts.openLink[transport]({
      token,
      microphone: microphone.track(),
      iceServers: () => api.iceServers(signal),
      start: startAt(api),
      listener: {
        onMessage(data) {
          liveness?.heard()
          setCarried(true)
          const event = readServerEvent(data)
          if (phase !== 'closed' && event !== undefined) takeEvent(event)
        },
        onTrack: (track) => phase !== 'closed' && listener.onTrack(track),
        onCarried: setCarried,
        onGone: () => endWith('connection_lost'),
      },
    })
    checkAborted()
    microphone.sendTo(link.setMicrophone)
    await whenReady(ready)
    checkAborted()
    speech = watchSpeech(link)
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
    ask: () => send({ event: 'ping' }),
    onAway: () => setCarried(false),
    onLost: () => endWith('connection_lost'),
  })

  return {
    session: sessionOf(started!, { inputMode, textOnly }),
    send,
    microphone,
    heardSpeech: (latencyMs) => (phase === 'open' ? speech?.heard(latencyMs) : undefined),
    async end(leaving) {
      if (phase !== 'open') return
      close()
      // Where the network carries it, the service sees that the link was closed; of a page that is left it may not.
      if (leaving || !carried) await hangUp()
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

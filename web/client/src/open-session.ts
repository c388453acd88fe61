/**
 * One session, from the microphone to its end.
 *
 * - However the session ends, the microphone is off and the connection is closed before the listener is called.
 * - `onEnd` is called once for a session that was opened, and no other listener afterwards. A session that could not be
 *   opened rejects, calls no listener, and leaves nothing behind, in the page or at the service.
 */
import type { BrowserParts } from './browser-parts.js'
import type { Connection } from './connection.js'
import type { SessionListener } from './live-session.js'
import { LiveSession } from './live-session.js'
import type { ClientMessage } from './messages.js'
import { createSessionMicrophone, type MicrophoneSource, type SessionMicrophone } from './microphone.js'
import type { Feedback, InputMode, PlayingSpeech, Session, SessionOverrides, TransportKind } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'
import { createSessionApi, fetchToken, type SessionApi, type StartedSession } from './session-api.js'

/** The version in package.json. */
const clientVersion = '0.1.0'

/** In the form of the API. Names that are undefined are left out of the JSON. */
const overridesOf = ({ systemPrompt, firstMessage, voiceId, language }: SessionOverrides) => ({
  system_prompt: systemPrompt,
  first_message: firstMessage,
  voice_id: voiceId,
  language,
})

export interface CheckedConnectOptions {
  readonly inputMode: InputMode
  /** The user only types. */
  readonly textOnly: boolean
  readonly modalities: readonly ('audio' | 'text')[]
  readonly microphone: MicrophoneSource
  readonly overrides: SessionOverrides | undefined
  /** Aborts opening. */
  readonly signal: AbortSignal | undefined
}

export interface OpenSessionOptions extends CheckedConnectOptions {
  readonly parts: BrowserParts
  readonly transport: TransportKind
  readonly origin: string
  readonly agentId: string
  readonly token: () => string | Promise<string>
  readonly traceparent: () => string | undefined
  /** The audio context that was unlocked when the user asked to connect. */
  readonly audioContext: () => AudioContext | undefined
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
  /** Also works when the session is over. */
  giveFeedback(feedback: Feedback): Promise<void>
  /** The user hangs up, or leaves the page. Everything is off when this returns. Resolves when the service knows. */
  end(leaving: boolean): Promise<void>
}

/** Rejects with a `ParlanceError`. */
export const openSession = async (options: OpenSessionOptions): Promise<OpenedSession> => {
  const { parts, inputMode, textOnly, overrides, signal, listener } = options
  const microphone = createSessionMicrophone({
    openMicrophone: parts.openMicrophone,
    source: options.microphone,
    isSent: options.isSent,
    onLost: (error) => listener.onError(error),
  })
  const live = new LiveSession(microphone, listener)
  let api: SessionApi | undefined
  let started: StartedSession | undefined

  const hangUp = async (): Promise<void> => {
    if (started !== undefined) await api?.hangUp(started.session_id)
  }

  const aborted = (): ParlanceError => new ParlanceError('aborted', 'Connecting was aborted.', { cause: signal.reason })
  const checkAborted = (): void => {
    if (signal.aborted) throw aborted()
  }

  const openMicrophone = async (): Promise<void> => {
    if (textOnly) return
    await microphone.open()
    checkAborted()
    listener.onConnecting()
  }

  const openConnection = async (sessionApi: SessionApi, token: string): Promise<Connection> =>
    parts.openConnection[options.transport]({
      token,
      microphone: microphone.track(),
      audioContext: options.audioContext,
      iceServers: () => sessionApi.iceServers(signal),
      async start(transport) {
        checkAborted()
        started = await sessionApi.start({
          ...transport,
          input_mode: inputMode,
          modalities: options.modalities,
          client: {
            name: '@parlance/client',
            version: clientVersion,
            time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          },
          ...(overrides !== undefined && { overrides: overridesOf(overrides) }),
        })
        checkAborted()
        return started
      },
      restart: (offer, restartSignal) => sessionApi.restart(started!.session_id, offer, restartSignal),
      listener: live.connectionListener,
    })

  const open = async (): Promise<void> => {
    checkAborted()
    await openMicrophone()
    const token = await fetchToken('sessionToken', options.token)
    checkAborted()
    const { origin, agentId, traceparent } = options
    api = createSessionApi({ origin, agentId, token, fetch: parts.fetch, traceparent })
    const connection = await openConnection(api, token)
    live.connect(connection)
    checkAborted()
    microphone.sendTo(connection.setMicrophone)
    await live.whenReady(signal, aborted)
    checkAborted()
    live.open(connection)
  }

  try {
    await open()
  } catch (error) {
    live.close()
    void hangUp()
    throw error
  }

  return {
    session: sessionOf(started!, { inputMode, textOnly }),
    send: (message) => live.send(message),
    microphone,
    playingSpeech: (latencyMs) => live.playingSpeech(latencyMs),
    giveFeedback: (feedback) => api!.giveFeedback(started!.session_id, feedback),
    async end(leaving) {
      if (!live.isOpen) return
      live.close()
      // While the network is there, the service notices that the connection was closed, but maybe not when the page is left.
      if (leaving || !live.isConnected) await hangUp()
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

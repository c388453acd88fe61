import type { AgentAudio } from './agent-audio.js'
import type { BrowserParts } from './browser-parts.js'
import type { AgentState, Disconnection, ParlanceEvents } from './client-events.js'
import type { Devices } from './devices.js'
import { createReported, type Emitter, type Reported } from './emitter.js'
import { createHistory, type History } from './history.js'
import { describeEnd, type SessionListener } from './live-session.js'
import type { ServerEvent } from './messages.js'
import { isTrack } from './microphone.js'
import { type CheckedConnectOptions, type OpenedSession, openSession } from './open-session.js'
import type { ConnectionState, Feedback, ParlanceClientOptions, Session, TransportKind } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'
import type { Tools } from './tools.js'
import type { UserInput } from './user-input.js'

/** Emits an event of the service to the page, under the name of the client's API. */
const emitEvent = (event: ServerEvent, emit: Emitter<ParlanceEvents>['emit']): void => {
  switch (event.event) {
    case 'transcript':
      emit('transcript', payloadOf(event))
      break
    case 'user.speech':
      emit('userSpeech', payloadOf(event))
      break
    case 'alignment':
      emit('alignment', payloadOf(event))
      break
    case 'interruption':
      emit('interruption', payloadOf(event))
      break
    case 'tool.call':
      emit('toolCall', payloadOf(event))
      break
    case 'metrics':
      emit('metrics', payloadOf(event))
      break
    case 'session.ending':
      emit('ending', payloadOf(event))
  }
}

const payloadOf = <Event extends { readonly event: string }>({ event: _, ...payload }: Event): Omit<Event, 'event'> =>
  payload

/** Rejects as soon as the signal aborts. A value that arrives later is passed to `drop`. */
const unlessAborted = <Value>(
  signal: AbortSignal,
  drop: (late: Value) => void,
  promise: Promise<Value>,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(new ParlanceError('aborted', 'Connecting was aborted.', { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    promise.then((value) => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) drop(value)
      else resolve(value)
    }, reject)
  })

export interface ClientSessionsOptions {
  readonly client: Pick<ParlanceClientOptions, 'agentId' | 'sessionToken' | 'traceparent'>
  readonly origin: string
  readonly transport: TransportKind
  readonly parts: BrowserParts
  readonly emit: Emitter<ParlanceEvents>['emit']
  readonly audio: AgentAudio
  readonly input: Omit<UserInput, 'controls'>
  readonly tools: Pick<Tools, 'run'>
  readonly devices: Pick<Devices, 'watch'>
}

/** An attempt to connect, and the session that it leads to. */
interface Attempt {
  readonly controller: AbortController
  readonly connected: Promise<Session>
  /** To be called when it is over. */
  readonly undo: (() => void)[]
  opened?: OpenedSession
}

/** The sessions of a client, at most one at a time. Callbacks of any attempt but the current one are ignored. */
export class ClientSessions {
  readonly #options: ClientSessionsOptions
  readonly #state: Reported<ConnectionState>
  readonly agentState: Reported<AgentState>
  readonly userSpeaking: Reported<boolean>
  readonly history: History
  #current: Attempt | undefined
  /** The session that is open, or the last one that was. */
  #lastOpened: OpenedSession | undefined
  /** Resolves when the previous session is over. */
  #ended: Promise<void> = Promise.resolve()

  constructor(options: ClientSessionsOptions) {
    const { emit } = options
    this.#options = options
    this.#state = createReported<ConnectionState>('idle', (state) => emit('connectionState', state))
    this.agentState = createReported<AgentState>('listening', (state, before) => {
      emit('agentState', state)
      if ((state === 'speaking') !== (before === 'speaking')) emit('agentSpeaking', state === 'speaking')
    })
    this.userSpeaking = createReported<boolean>(false, (isSpeaking) => emit('userSpeaking', isSpeaking))
    this.history = createHistory((items) => emit('history', items))
  }

  get connectionState(): ConnectionState {
    return this.#state.get()
  }

  /** The session that is open. */
  get opened(): OpenedSession | undefined {
    return this.#current?.opened
  }

  /** The session that is open, or that is being opened. */
  get connected(): Promise<Session> | undefined {
    return this.#current?.connected
  }

  /** Must be called within a click, and when `connected` is undefined. */
  connect(asked: CheckedConnectOptions): Promise<Session> {
    this.#options.audio.unlock(asked.textOnly)
    const controller = new AbortController()
    const attempt: Attempt = {
      controller,
      connected: this.#ended.then(() => this.#open(attempt, asked)),
      undo: [this.#watch(controller, asked.signal)],
    }
    this.#current = attempt
    this.history.clear()
    this.#state.set(asked.textOnly ? 'connecting' : 'requesting-microphone')
    return attempt.connected
  }

  /** Of the session that is open, or of the last one that was. */
  async giveFeedback(feedback: Feedback): Promise<void> {
    if (this.#lastOpened === undefined) throw new ParlanceError('not_connected', 'There was no session: connect first.')
    await this.#lastOpened.giveFeedback(feedback)
  }

  /** `leaving` when the user leaves the page. Everything is off when this returns. Resolves when the service knows. */
  disconnect(leaving: boolean): Promise<void> {
    if (this.#current === undefined) return this.#ended
    const { controller, opened } = this.#current
    this.#release()
    controller.abort()
    const over = opened?.end(leaving)
    this.#state.set('disconnecting')
    this.#ended = Promise.resolve(over).then(() =>
      this.#emitOver(opened && describeEnd('user_disconnected', undefined)),
    )
    return this.#ended
  }

  /**
   * Gives up connecting when `signal` aborts, and hangs up when the user leaves the page. Returns a function that stops
   * this.
   */
  #watch(controller: AbortController, signal: AbortSignal | undefined): () => void {
    const giveUp = () => controller.abort(signal?.reason)
    if (signal?.aborted) giveUp()
    signal?.addEventListener('abort', giveUp)
    const stopPageHide = this.#options.parts.onPageHide(() => void this.disconnect(true))
    return () => {
      signal?.removeEventListener('abort', giveUp)
      stopPageHide()
    }
  }

  async #open(attempt: Attempt, asked: CheckedConnectOptions): Promise<Session> {
    const { client, origin, transport, parts, emit, audio, input, devices } = this.#options
    const { signal } = attempt.controller
    try {
      const opened = await unlessAborted(
        signal,
        (late) => void late.end(false),
        openSession({
          ...asked,
          parts,
          transport,
          origin,
          agentId: client.agentId,
          audioContext: audio.context,
          microphone: isTrack(asked.microphone) ? asked.microphone : { ...input.device(), ...asked.microphone },
          signal,
          token: client.sessionToken,
          traceparent: client.traceparent ?? (() => undefined),
          isSent: () => input.isSent(asked.inputMode),
          listener: this.#listenerOf(attempt),
        }),
      )
      attempt.opened = opened
      attempt.undo.push(parts.keepAwake(() => void audio.controls.resumeAudio()))
      // The names of devices are known once the user has allowed the microphone.
      if (!asked.textOnly) attempt.undo.push(devices.watch())
      this.#lastOpened = opened
      opened.send({ event: 'client.ready' })
      input.onOpened(opened)
      this.#state.set('connected')
      if (this.#current === attempt) emit('session', opened.session)
      return opened.session
    } catch (error) {
      if (this.#current === attempt) {
        this.#release()
        this.#emitOver(undefined)
        if (!signal.aborted) emit('error', error as ParlanceError)
      }
      throw error
    }
  }

  #listenerOf(attempt: Attempt): SessionListener {
    const { emit, audio } = this.#options
    const isCurrent = (): boolean => this.#current === attempt
    const ifCurrent =
      <Parameters extends unknown[]>(run: (...parameters: Parameters) => void) =>
      (...parameters: Parameters): void => {
        if (isCurrent()) run(...parameters)
      }
    return {
      onConnecting: ifCurrent(() => this.#state.set('connecting')),
      onEvent: ifCurrent((event) => this.#onServerEvent(event, attempt)),
      onTrack: ifCurrent((track) => {
        audio.play(track, isCurrent)
        emit('remoteAudioTrack', track)
      }),
      onConnectivity: ifCurrent((isConnected) => this.#state.set(isConnected ? 'connected' : 'reconnecting')),
      onError: ifCurrent((error) => emit('error', error)),
      onEnd: ifCurrent((end) => {
        this.#release()
        this.#emitOver(end)
      }),
    }
  }

  #onServerEvent(event: ServerEvent, attempt: Attempt): void {
    this.history.onEvent(event)
    if (event.event === 'agent.state') this.agentState.set(event.state)
    if (event.event === 'user.speech') this.userSpeaking.set(event.started)
    emitEvent(event, this.#options.emit)
    if (event.event !== 'tool.call') return
    void this.#options.tools.run(event).then((result) => {
      if (this.#current !== attempt) return
      attempt.opened?.send({ event: 'tool.result', ...result })
      this.history.onToolResult(result)
    })
  }

  /** Frees what belongs to the current attempt. */
  #release(): void {
    const attempt = this.#current
    this.#current = undefined
    this.#options.input.onOver()
    this.#options.audio.close()
    for (const undo of attempt?.undo ?? []) undo()
  }

  /** Reports the end of a session. The next attempt may have begun. */
  #emitOver(end: Disconnection | undefined): void {
    const { emit, audio } = this.#options
    this.agentState.set('listening')
    this.userSpeaking.set(false)
    audio.unblock()
    if (this.#current === undefined) this.#state.set('disconnected')
    if (end === undefined) return
    emit('session', null)
    emit('disconnected', end)
  }
}

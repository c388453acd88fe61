/**
 * A client holds at most one session at a time.
 *
 * - An attempt to connect, and the session that it leads to, are one `Attempt`. Callbacks of any attempt but the current
 *   one are ignored.
 * - Audio is unlocked before the first `await`.
 */
import type { BrowserParts } from './browser-parts.js'
import { type CheckedConnectOptions, checkConnectOptions, checkOptions, checkVolume } from './checked-options.js'
import type { Disconnection, ParlanceEvents } from './client-events.js'
import type { ParlanceClientOptions } from './client-options.js'
import type { ConnectionState } from './connection-state.js'
import { describeEnd } from './describe-end.js'
import { emitEvent } from './emit-event.js'
import { createEmitter } from './emitter.js'
import { createLevelMeter } from './level-meter.js'
import { listDevices } from './list-devices.js'
import { type OpenedSession, openSession } from './open-session.js'
import type { ParlanceClient } from './parlance-client.js'
import { ParlanceError } from './parlance-error.js'
import type { ServerEvent } from './server-event.js'
import type { Session } from './session.js'
import { createTools } from './tools.js'
import { randomUuid } from './uuid.js'

interface Attempt {
  readonly controller: AbortController
  readonly connected: Promise<Session>
  opened?: OpenedSession
}

export const createClient = (options: ParlanceClientOptions, parts: BrowserParts): ParlanceClient => {
  const { origin, transport } = checkOptions(options)
  const { on, emit } = createEmitter<ParlanceEvents>()
  const speaker = parts.createSpeaker()
  const tools = createTools()
  const inputMeter = createLevelMeter()
  const outputMeter = createLevelMeter()
  let state: ConnectionState = 'idle'
  let attempt: Attempt | undefined
  /** Resolves when the previous session is over. */
  let ended: Promise<void> = Promise.resolve()
  let agentTrack: MediaStreamTrack | undefined
  let speaking = false
  let blocked = false
  let muted = false
  let isTalkPressed = false
  let inputDevice: string | undefined

  const setState = (next: ConnectionState): void => {
    if (state === next) return
    state = next
    emit('connectionState', next)
  }
  const setSpeaking = (next: boolean): void => {
    if (speaking === next) return
    speaking = next
    emit('agentSpeaking', next)
  }
  const setBlocked = (next: boolean): void => {
    if (blocked === next) return
    blocked = next
    emit('audioBlocked', next)
  }

  const live = (): OpenedSession => {
    if (attempt?.opened === undefined) throw new ParlanceError('not_connected', 'There is no session: connect first.')
    return attempt.opened
  }
  const pushToTalk = (event: 'ptt.start' | 'ptt.commit' | 'ptt.cancel'): void => {
    const { session, microphone, send } = live()
    if (session.inputMode !== 'push-to-talk' || session.textOnly) {
      throw new ParlanceError('not_connected', 'Connect with the input mode push-to-talk, and a microphone.')
    }
    isTalkPressed = event === 'ptt.start'
    microphone.apply()
    send({ event })
  }
  const setMuted = (next: boolean): void => {
    if (muted === next) return
    muted = next
    attempt?.opened?.microphone.apply()
    attempt?.opened?.send({ event: 'mute', muted })
  }

  /** Frees what belongs to the current attempt. */
  const release = (): void => {
    attempt = undefined
    isTalkPressed = false
    agentTrack = undefined
    inputMeter.close()
    outputMeter.close()
    speaker.close()
    stopWatching()
    stopWatching = () => {}
  }
  let stopWatching = (): void => {}

  /** Reports the end of a session. The next attempt may have begun. */
  const emitOver = (end: Disconnection | undefined): void => {
    setSpeaking(false)
    setBlocked(false)
    if (attempt === undefined) setState('disconnected')
    if (end === undefined) return
    emit('session', null)
    emit('disconnected', end)
  }

  const onServerEvent = (event: ServerEvent, mine: Attempt): void => {
    emitEvent(event, emit)
    if (event.event === 'agent.state') setSpeaking(event.state === 'speaking')
    if (event.event !== 'tool.call') return
    void tools.run(event).then((result) => {
      if (attempt === mine) mine.opened?.send({ event: 'tool.result', ...result })
    })
  }

  const open = async (given: CheckedConnectOptions, mine: () => Attempt, signal: AbortSignal): Promise<Session> => {
    const isCurrent = (): boolean => attempt === mine()
    /** Ignores callbacks of an attempt that is over. */
    const ifCurrent =
      <Parameters extends unknown[]>(run: (...parameters: Parameters) => void) =>
      (...parameters: Parameters): void => {
        if (isCurrent()) run(...parameters)
      }
    await ended
    try {
      const opened = await unlessAborted(
        signal,
        (late) => void late.end(false),
        openSession({
          parts,
          transport,
          origin,
          agentId: options.agentId,
          inputDevice,
          signal,
          inputMode: given.inputMode,
          textOnly: given.textOnly,
          token: options.sessionToken,
          isSent: () => !muted && (given.inputMode === 'automatic' || isTalkPressed),
          listener: {
            onConnecting: ifCurrent(() => setState('connecting')),
            onEvent: ifCurrent((event) => onServerEvent(event, mine())),
            onTrack: ifCurrent((track) => {
              agentTrack = track
              emit('remoteAudioTrack', track)
              void speaker.play(track).then(ifCurrent((isPlaying) => setBlocked(!isPlaying)))
            }),
            onConnectivity: ifCurrent((isConnected) => setState(isConnected ? 'connected' : 'reconnecting')),
            onError: ifCurrent((error) => emit('error', error)),
            onEnd: ifCurrent((end) => {
              release()
              emitOver(end)
            }),
          },
        }),
      )
      mine().opened = opened
      opened.send({ event: 'client.ready' })
      if (muted) opened.send({ event: 'mute', muted })
      setState('connected')
      if (isCurrent()) emit('session', opened.session)
      return opened.session
    } catch (error) {
      if (isCurrent()) {
        release()
        emitOver(undefined)
        if (!signal.aborted) emit('error', error as ParlanceError)
      }
      throw error
    }
  }

  const hangUp = (leaving: boolean): Promise<void> => {
    if (attempt === undefined) return ended
    const { controller, opened } = attempt
    release()
    controller.abort()
    const off = opened?.end(leaving)
    setState('disconnecting')
    ended = Promise.resolve(off).then(() => emitOver(opened && describeEnd('user_disconnected', undefined)))
    return ended
  }

  return {
    on,
    apiOrigin: origin,
    get connectionState() {
      return state
    },
    get session() {
      return attempt?.opened?.session ?? null
    },
    connect(given = {}) {
      if (attempt !== undefined) return attempt.connected
      let checked: CheckedConnectOptions
      try {
        checked = checkConnectOptions(given)
      } catch (error) {
        emit('error', error as ParlanceError)
        return Promise.reject(error)
      }
      speaker.unlock()
      const controller = new AbortController()
      const mine: Attempt = { controller, connected: open(checked, () => mine, controller.signal) }
      attempt = mine
      const giveUp = () => controller.abort(checked.signal?.reason)
      if (checked.signal?.aborted) giveUp()
      checked.signal?.addEventListener('abort', giveUp)
      const stopPageHide = parts.onPageHide(() => void hangUp(true))
      stopWatching = () => {
        checked.signal?.removeEventListener('abort', giveUp)
        stopPageHide()
      }
      setState(checked.textOnly ? 'connecting' : 'requesting-microphone')
      return mine.connected
    },
    disconnect: () => hangUp(false),

    sendText(text) {
      const id = randomUuid()
      live().send({ event: 'text.send', id, text })
      return id
    },
    startPushToTalk: () => pushToTalk('ptt.start'),
    commitPushToTalk: () => pushToTalk('ptt.commit'),
    cancelPushToTalk: () => pushToTalk('ptt.cancel'),
    interrupt: () => live().send({ event: 'interrupt' }),
    updateContext: (text) => live().send({ event: 'context.update', text }),
    registerTool: tools.register,

    mute: () => setMuted(true),
    unmute: () => setMuted(false),
    setVolume(volume) {
      checkVolume(volume)
      speaker.setVolume(volume)
    },
    async resumeAudio() {
      setBlocked(!(await speaker.resume()))
    },
    getInputLevel: () => inputMeter.level(speaker.context(), attempt?.opened?.microphone.track()),
    getOutputLevel: () => outputMeter.level(speaker.context(), agentTrack),
    listDevices,
    async setInputDevice(id) {
      const opened = attempt?.opened
      if (opened !== undefined && !opened.session.textOnly) await opened.microphone.use(id)
      inputDevice = id
    },
    setOutputDevice: speaker.setDevice,

    speechPosition(speechId) {
      const playing = this.playingSpeech()
      return playing?.speechId === speechId ? playing.positionMs : undefined
    },
    playingSpeech: () => attempt?.opened?.playingSpeech(speaker.latencyMs()),
  }
}

/** Rejects as soon as the signal aborts. A value that comes later is given to `drop`. */
const unlessAborted = <Value>(
  signal: AbortSignal,
  drop: (late: Value) => void,
  promise: Promise<Value>,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(new ParlanceError('aborted', 'Connecting was given up.', { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    promise.then((value) => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) drop(value)
      else resolve(value)
    }, reject)
  })

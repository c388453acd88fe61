import type { OpenConnection } from './connection.js'
import { ParlanceError } from './parlance-error.js'
import { openPcmAudio } from './pcm-audio.js'
import { createReconnection } from './reconnection.js'

const protocol = 'awp.session.v1'
/** Browsers cannot send headers with a WebSocket, so the token is offered as a subprotocol. */
const tokenPrefix = 'awp.token.'
/**
 * A second of audio has 50 frames, and the service drops more than 100 in a second. After the page or the network was
 * busy, many frames come at once: those beyond this number are dropped.
 */
const maxFramesAtOnce = 40
const framesPerSecond = 55
/** The close code of a connection that was lost. */
const abnormalClosure = 1006

export const openWebSocketConnection: OpenConnection = async ({ microphone, audioContext, token, start, listener }) => {
  let socket: WebSocket | undefined
  const send = (message: string | ArrayBuffer): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(message)
  }
  const mayPass = createFrameRate()
  const audio = await openPcmAudio(audioContext(), (frame) => {
    if (mayPass(performance.now()) && (socket?.bufferedAmount ?? 0) < maxFramesAtOnce * frame.byteLength) send(frame)
  })
  let closed = false

  const close = (): void => {
    closed = true
    reconnection.close()
    socket?.close(1000)
    audio.close()
  }
  const onLost = (): void => {
    if (closed) return
    close()
    listener.onClosed()
  }

  const open = (url: string): WebSocket => {
    const opened = new WebSocket(url, [protocol, `${tokenPrefix}${token}`])
    opened.binaryType = 'arraybuffer'
    opened.addEventListener('open', () => {
      if (closed) return opened.close(1000)
      // The service ends the session of a client that closes its only socket, so the earlier one is closed now.
      if (socket !== opened) socket?.close(1000)
      socket = opened
      listener.onConnectivity(true)
    })
    opened.addEventListener('message', ({ data }) => {
      if (closed || socket !== opened) return
      if (data instanceof ArrayBuffer) audio.play(data)
      else listener.onMessage(data)
    })
    opened.addEventListener('close', ({ code }) => {
      if (closed || socket !== opened) return
      if (code === abnormalClosure) reconnection.begin()
      else onLost()
    })
    return opened
  }

  let url: string | undefined
  const reconnection = createReconnection({
    hasOpened: () => socket !== undefined,
    attempt: (signal) => untilOpen(open(url!), signal),
    onAway: () => listener.onConnectivity(false),
    onLost,
  })
  try {
    ;({ websocket_url: url } = await start({ transport: 'websocket' }))
    if (url === undefined) throw new Error('The response has no websocket_url')
    open(url).addEventListener('error', () => socket ?? onLost())
  } catch (cause) {
    close()
    if (cause instanceof ParlanceError) throw cause
    throw new ParlanceError('unexpected_answer', 'The service offers no WebSocket.', { cause })
  }
  listener.onTrack(audio.track)
  if (microphone !== undefined) audio.capture(microphone)

  return {
    send,
    setMicrophone: async (track) => audio.capture(track),
    audioMoment: audio.moment,
    sentSilenceMs: 0,
    close,
    reconnect: reconnection.begin,
  }
}

const untilOpen = (socket: WebSocket, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    // A refusal comes as the close code of a socket that was open.
    socket.addEventListener('error', () => reject(new Error('The WebSocket did not open.')), { once: true })
    const giveUp = () => {
      reject(signal.reason as Error)
      socket.close()
    }
    signal.addEventListener('abort', giveUp, { once: true })
    socket.addEventListener('open', () => signal.removeEventListener('abort', giveUp), { once: true })
  })

const createFrameRate = (): ((nowMs: number) => boolean) => {
  let left = maxFramesAtOnce
  let lastMs = 0

  return (nowMs) => {
    left = Math.min(maxFramesAtOnce, left + ((nowMs - lastMs) * framesPerSecond) / 1000)
    lastMs = nowMs
    if (left < 1) return false
    left -= 1
    return true
  }
}

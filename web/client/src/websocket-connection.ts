import type { OpenConnection } from './connection.js'
import { ParlanceError } from './parlance-error.js'
import { openPcmAudio } from './pcm-audio.js'

const protocol = 'awp.session.v1'
/** Browsers cannot send headers with a WebSocket, so the token is offered as a subprotocol. */
const tokenPrefix = 'awp.token.'
/**
 * A second of audio has 50 frames, and the service drops more than 100 in a second. After the page or the network was
 * busy, many frames come at once: those beyond this number are dropped.
 */
const maxFramesAtOnce = 40
const framesPerSecond = 55

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
    socket?.close(1000)
    audio.close()
  }

  try {
    const { websocket_url } = await start({ transport: 'websocket' })
    if (websocket_url === undefined) throw new Error('The response has no websocket_url')
    socket = new WebSocket(websocket_url, [protocol, `${tokenPrefix}${token}`])
  } catch (cause) {
    close()
    if (cause instanceof ParlanceError) throw cause
    throw new ParlanceError('unexpected_answer', 'The service offers no WebSocket.', { cause })
  }
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }) => {
    if (closed) return
    if (data instanceof ArrayBuffer) audio.play(data)
    else listener.onMessage(data)
  })
  socket.addEventListener('close', () => {
    if (closed) return
    close()
    listener.onClosed()
  })
  listener.onTrack(audio.track)
  if (microphone !== undefined) audio.capture(microphone)

  return {
    send,
    setMicrophone: async (track) => audio.capture(track),
    audioMoment: audio.moment,
    sentSilenceMs: 0,
    close,
  }
}

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

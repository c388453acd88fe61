/** The protocol of `/v1/tts/stream`, as far as this page speaks it. */
import { ApiError } from './api.js'

const protocol = 'awp.tts.v1'
const headerBytes = 12
/** Of one `text` message, in code points. */
const maxCharacters = 4000

const connectionLost = new ApiError({ code: 'connection_lost', detail: 'The connection was lost.' })

/** The text in pieces that a message can carry. */
const piecesOf = (text) => {
  const characters = [...text]
  const pieces = []
  for (let at = 0; at < characters.length; at += maxCharacters) {
    pieces.push(characters.slice(at, at + maxCharacters).join(''))
  }
  return pieces
}

const address = () => {
  const url = new URL('/v1/tts/stream', location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  return url
}

/**
 * Resolves when the server is ready. The connection can speak any number of texts:
 * `speak({ text, voiceId, variant, sampleRate }, { audio, words, done, cancelled, failed })` returns `{ cancel(playedMs) }`.
 * The last three end it, and one of them is called once; `audio` is given an Int16Array.
 */
export const openStream = (token) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address(), [protocol, `awp.token.${token}`])
    socket.binaryType = 'arraybuffer'
    const listeners = new Map()
    const idsByIndex = new Map()
    let count = 0
    let draining = false

    const send = (message) => socket.send(JSON.stringify(message))

    const end = (id) => {
      const listener = listeners.get(id)
      listeners.delete(id)
      return listener
    }

    const speak = ({ text, voiceId, variant, sampleRate }, listener) => {
      const id = `play-${++count}`
      listeners.set(id, listener)
      send({
        event: 'start',
        context_id: id,
        voice_id: voiceId,
        tts_variant: variant,
        output: { format: 'pcm_s16le', sample_rate: sampleRate },
        audio_frames: 'binary',
        alignment: ['word'],
      })
      for (const piece of piecesOf(text)) send({ event: 'text', context_id: id, text: piece })
      send({ event: 'end', context_id: id })
      return {
        cancel(playedMs) {
          if (listeners.has(id)) send({ event: 'cancel', context_id: id, played_ms: playedMs })
        },
      }
    }

    const stream = {
      /** Whether it takes another text. */
      isOpen: () => socket.readyState === WebSocket.OPEN && !draining,
      close: () => socket.close(),
      speak,
    }

    const onMessage = (message) => {
      const { event, context_id: id } = message
      if (event === 'ready') resolve(stream)
      else if (event === 'started') idsByIndex.set(message.context_index, id)
      else if (event === 'alignment') listeners.get(id)?.words(message.words)
      else if (event === 'done') end(id)?.done(message)
      else if (event === 'cancelled') end(id)?.cancelled(message)
      else if (event === 'draining') draining = true
      else if (event === 'error' && id !== undefined) end(id)?.failed(new ApiError(message))
      else if (event === 'error') reject(new ApiError(message))
    }

    const onFrame = (frame) => {
      const header = new DataView(frame)
      if (header.getUint8(0) !== 1 || header.getUint8(1) !== 1) return
      const listener = listeners.get(idsByIndex.get(header.getUint16(2)))
      listener?.audio(new Int16Array(frame, headerBytes))
    }

    socket.addEventListener('message', ({ data }) =>
      typeof data === 'string' ? onMessage(JSON.parse(data)) : onFrame(data),
    )
    socket.addEventListener('close', () => {
      reject(connectionLost)
      for (const id of [...listeners.keys()]) end(id).failed(connectionLost)
    })
  })

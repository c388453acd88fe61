/**
 * The lower limit of the cost of a frame: a WebSocket server that sends it from a timer, and nothing else. It accepts the
 * messages of the product's own protocol as far as a listener sends them. `PORT` in the environment.
 */
import { WebSocketServer } from 'ws'
import { clockMs, stampedFrame, wishIn } from './stamped-frames.mjs'
import { frameHeaderBytes, writeFrameHeader } from './stream-frame.mjs'

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  perMessageDeflate: false,
  handleProtocols: (offered) => offered.values().next().value,
})

server.on('connection', (socket) => {
  const timers = new Map()
  let contexts = 0
  const sendEvent = (message) => socket.send(JSON.stringify(message))

  const speak = (id, index, { frameMs, frames }) => {
    const startedMs = clockMs()
    let made = 0
    const next = () => {
      const frame = stampedFrame(frameMs, frameHeaderBytes)
      writeFrameHeader(frame, index, made, made * frameMs)
      socket.send(frame)
      made += 1
      if (made < frames) timers.set(id, setTimeout(next, startedMs + made * frameMs - clockMs()))
      else sendEvent({ event: 'done', context_id: id })
    }
    next()
  }

  socket.on('message', (data) => {
    const { event, context_id: id, text } = JSON.parse(data)
    if (event === 'start') {
      contexts += 1
      sendEvent({ event: 'started', context_id: id, context_index: contexts })
    } else if (event === 'text') {
      speak(id, contexts, wishIn(text))
    } else if (event === 'cancel') {
      clearTimeout(timers.get(id))
      sendEvent({ event: 'cancelled', context_id: id })
    }
  })
  socket.once('close', () => {
    for (const timer of timers.values()) clearTimeout(timer)
  })
  sendEvent({ event: 'ready' })
})

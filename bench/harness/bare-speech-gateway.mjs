/**
 * The lower limit of the cost of a stream for a gateway: texts from a WebSocket to the bus, and frames from the bus to the
 * WebSocket, without authentication, validation or metrics. It accepts the messages of the product's own protocol as far as
 * callers send them, and answers every HTTP request with a token and a voice, which are not checked later. In the
 * environment `NATS_URL`, `SUBJECT` (see `bare-speech-worker.mjs`) and `PORT`.
 */
import { createServer } from 'node:http'
import { connectNatsBus } from '@parlance/bus'
import { WebSocketServer } from 'ws'
import { tuneGarbageCollection } from '../../libs/runtime/dist/run.js'

tuneGarbageCollection()
const bus = await connectNatsBus({ url: process.env.NATS_URL, name: 'bench-bare-speech-gateway' })

/** Each has a number of its own on the bus, and one on its connection. */
const contexts = new Map()
let contextCount = 0
const inbox = bus.inbox()
bus.subscribe(`${inbox}.*`, ({ subject, data }) => {
  const number = Number(subject.slice(inbox.length + 1))
  const { socket, id } = contexts.get(number)
  if (data.length > 0) return socket.send(data)
  contexts.delete(number)
  socket.send(JSON.stringify({ event: 'done', context_id: id, ttfa_ms: 0 }))
})

const beforehand = JSON.stringify({ token: 'any', voices: [{ id: 'any' }] })
const server = createServer((_request, response) => response.end(beforehand))
const sockets = new WebSocketServer({
  server,
  perMessageDeflate: false,
  handleProtocols: (offered) => offered.values().next().value,
})
sockets.on('connection', (socket) => {
  const ofConnection = new Map()
  let count = 0
  socket.on('message', (data) => {
    const { event, context_id: id, text, output } = JSON.parse(data)
    if (event === 'start') {
      count += 1
      ofConnection.set(id, { index: count, sampleRateHz: output.sample_rate })
      socket.send(JSON.stringify({ event: 'started', context_id: id, context_index: count }))
    } else if (event === 'text') {
      const wish = ofConnection.get(id)
      ofConnection.delete(id)
      contextCount += 1
      contexts.set(contextCount, { socket, id })
      const asked = Buffer.from(JSON.stringify({ text, ...wish }))
      bus.publish(process.env.SUBJECT, asked, { reply: `${inbox}.${contextCount}` })
    }
  })
  socket.send(JSON.stringify({ event: 'ready' }))
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))

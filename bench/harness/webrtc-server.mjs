/**
 * The transport of conversations alone, in a process of its own, told what to do over the channel to its parent:
 * `{ id, offer }` answers `{ id, answer }`, `{ id, hangUp }` hangs up on that conversation and answers when it is gone,
 * `{ id, speaks }` says whether all of them are spoken to, `{ id, look: true }` tells how it stands.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createFrameClock } from '../../services/sessions/dist/playout/frame-clock.js'
import { openWebRtcPort } from '../../services/sessions/dist/transport/webrtc/webrtc-port.js'

const rateHz = 24_000
const frameSamples = 480
const tone = Array.from({ length: 50 }, (_, frame) =>
  Int16Array.from({ length: frameSamples }, (_, at) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 440 * (frame * frameSamples + at)) / rateHz)),
  ),
)

const frameClock = createFrameClock()
const port = await openWebRtcPort({ bindAddress: '127.0.0.1', port: 0, frameClock })
const transports = new Map()
let speaks = false
let framesHeard = 0
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

const accept = (id, offer) => {
  const { transport, answer } = port.accept({ offer, needsAudio: true, requestId: String(id) })
  let played = 0
  const stop = frameClock.onTick(() => transport.playFrame(speaks ? tone[played++ % tone.length] : undefined))
  const gone = () => {
    stop()
    transports.delete(id)
  }
  transport.listen({ onOpen() {}, onAudio: () => framesHeard++, onEvent() {}, onLost: gone })
  transports.set(id, { transport, gone })
  return { answer }
}

const handle = async ({ id, offer, hangUp, speaks: wanted, look }) => {
  if (offer !== undefined) return accept(id, offer)
  if (hangUp !== undefined) {
    const held = transports.get(hangUp)
    held?.gone()
    await held?.transport.close()
    return {}
  }
  if (wanted !== undefined) speaks = wanted
  if (look !== true) return {}
  globalThis.gc?.()
  const state = {
    peers: port.peers(),
    listeners: transports.size,
    framesHeard,
    delayP99Ms: delay.percentile(99) / 1e6,
    delayMaxMs: delay.max / 1e6,
  }
  delay.reset()
  return state
}

process.on('message', async (message) => process.send({ id: message.id, ...(await handle(message)) }))
process.on('disconnect', () => process.exit(0))
process.send({ ready: true })

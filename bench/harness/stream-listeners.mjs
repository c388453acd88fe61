/**
 * Many listeners of streamed speech in a process of their own, which receives commands as messages and answers each.
 * Every one has a socket and on it one context at a time, which asks for stamped frames.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { clockMs, sentAtMs } from './stamped-frames.mjs'
import { percentile } from './statistics.mjs'
import { frameHeaderBytes } from './stream-frame.mjs'
import { mintStreamToken, streamProtocol } from './stream-token.mjs'

/** A waiting listener pings often enough to stay connected. */
const keepAliveMs = 20_000
/** How long after `cancelled` frames are still counted. */
const silenceMs = 300

let count = 0
let latencies = []
/** Listeners by the set they belong to. */
const sets = new Map()

const connect = async ({ url, authorization }) => {
  const token = authorization === undefined ? [] : [`awp.token.${await mintStreamToken({ url, authorization })}`]
  const address = `${url.replace(/^http/, 'ws')}/v1/tts/stream`
  const socket = new WebSocket(address, [streamProtocol, ...token], { perMessageDeflate: false })
  let context
  let onReady
  let keptAlive
  const ready = new Promise((resolve, reject) => {
    onReady = resolve
    socket.once('error', reject)
    socket.once('close', (code) => {
      const error = new Error(`the stream was closed with ${code}`)
      if (keptAlive === undefined) return reject(error)
      throw error
    })
  })
  socket.on('message', (data, isBinary) => {
    const nowMs = clockMs()
    if (isBinary) {
      if (context.cancelledAtMs !== undefined) context.afterCancelled += 1
      context.lastAtMs = nowMs
      context.onFirst()
      latencies.push(nowMs - sentAtMs(data, frameHeaderBytes))
      return
    }
    const message = JSON.parse(data)
    if (message.event === 'ready') onReady()
    if (message.event === 'cancelled') context.cancelledAtMs = nowMs
    if (message.event === 'cancelled' || message.event === 'done') context.onEnd()
    if (message.event === 'error') throw new Error(`a stream answered ${message.code}: ${message.detail}`)
  })
  await ready
  keptAlive = setInterval(() => socket.send(JSON.stringify({ event: 'keepalive' })), keepAliveMs)

  const send = (id, message) => socket.send(JSON.stringify({ context_id: id, ...message }))
  const ask = (id, text) => {
    const output = { format: 'pcm_s16le', sample_rate: 24_000 }
    const voice_id = '0'.repeat(32)
    send(id, { event: 'start', voice_id, output, audio_frames: 'binary', buffering: { mode: 'none' } })
    send(id, { event: 'text', text })
    send(id, { event: 'end' })
  }
  return {
    /** Resolves with the first frame. */
    speak(wish) {
      const id = `c${++count}`
      const text = `${wish} ${id}`
      context = { id, text, afterCancelled: 0, lastAtMs: 0 }
      const first = new Promise((resolve) => {
        context.onFirst = resolve
      })
      context.ended = new Promise((resolve) => {
        context.onEnd = resolve
      })
      ask(id, text)
      return first
    },
    async cancel() {
      const cancelAtMs = clockMs()
      send(context.id, { event: 'cancel' })
      await context.ended
      await delay(silenceMs)
      const { text, lastAtMs, afterCancelled } = context
      return { text, cancelAtMs, lastAudioAfterMs: Math.max(0, lastAtMs - cancelAtMs), afterCancelled }
    },
    /** Asks for contexts as fast as can be and never reads a byte. */
    stall(contexts) {
      clearInterval(keptAlive)
      // Messages that arrive while the socket closes are ignored.
      socket.removeAllListeners('message')
      socket.pause()
      for (let n = 0; n < contexts; n++) ask(`s${++count}`, `fast 600 s${count}`)
    },
    close() {
      clearInterval(keptAlive)
      socket.removeAllListeners('close')
      socket.terminate()
    },
  }
}

const some = ({ set, count: wanted }) => sets.get(set).slice(0, wanted)

const commands = {
  async connect({ set, count: wanted, target }) {
    const connected = []
    while (connected.length < wanted) {
      const together = Math.min(20, wanted - connected.length)
      connected.push(...(await Promise.all(Array.from({ length: together }, () => connect(target)))))
    }
    sets.set(set, connected)
  },
  /** Begins the streams spread over a second. Resolves when each listener has received its first frame. */
  async speak({ wish, ...which }) {
    const begin = async (listener, n, all) => {
      await delay((n / all.length) * 1_000)
      await listener.speak(wish)
    }
    await Promise.all(some(which).map(begin))
  },
  listen() {
    latencies = []
  },
  /** Of the frames received since `listen`. */
  latencies() {
    const of = (share) => percentile(latencies, share)
    return { frames: latencies.length, p50Ms: of(0.5), p99Ms: of(0.99), longestMs: of(1) }
  },
  /** Calls each at a different time within `withinMs`. */
  cancel: ({ withinMs = 0, ...which }) =>
    Promise.all(
      some(which).map(async (listener) => {
        await delay(Math.random() * withinMs)
        return listener.cancel()
      }),
    ),
  stall({ contexts, ...which }) {
    for (const listener of some(which)) listener.stall(contexts)
  },
  close({ set }) {
    for (const listener of sets.get(set)) listener.close()
    sets.delete(set)
  },
}

process.on('message', async ({ id, command, ...options }) => {
  process.send({ id, answer: await commands[command](options) })
})
process.once('disconnect', () => process.exit(0))

/**
 * One caller of `/v1/tts/stream`, like an application between a language model and a listener: it sends a text word by word
 * and measures when each frame arrives.
 */
import { WebSocket } from 'ws'
import { frameHeaderBytes } from './stream-frame.mjs'
import { mintStreamToken, refusal, streamProtocol } from './stream-token.mjs'

/** Connects with a new token. Rejects with a `refusal` when the server has no capacity. */
export const connectCaller = async ({ url, authorization }) => {
  const token = await mintStreamToken({ url, authorization })
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/tts/stream`, [streamProtocol, `awp.token.${token}`])
  const contexts = new Map()
  const byIndex = new Map()
  let settle
  const ready = new Promise((resolve, reject) => {
    socket.once('unexpected-response', (_request, response) => {
      reject(refusal(`http_${response.statusCode}`, 'the connection was refused'))
    })
    socket.once('error', reject)
    settle = { resolve, reject }
  })
  const endAll = (error) => {
    for (const { reject } of contexts.values()) reject(error)
    contexts.clear()
  }
  socket.on('message', (data, isBinary) => {
    const nowMs = performance.now()
    if (isBinary)
      return byIndex.get(data.readUInt16BE(2))?.onFrame(nowMs, data.readUInt32BE(8), data.length - frameHeaderBytes)
    const message = JSON.parse(data)
    if (message.event === 'ready') return settle.resolve()
    const context = contexts.get(message.context_id)
    if (message.event === 'started') return byIndex.set(message.context_index, context)
    if (message.event === 'done') {
      contexts.delete(message.context_id)
      return context.onDone(nowMs, message)
    }
    if (message.event !== 'error') return
    const error = refusal(message.code, message.detail)
    if (context === undefined) return settle.reject(error)
    contexts.delete(message.context_id)
    context.reject(error)
  })
  socket.once('close', (code) => endAll(refusal(`close_${code}`, 'the connection was closed')))
  await ready

  let count = 0
  return {
    /**
     * Sends a text, word by word with `wordMs` between words. Resolves to `{ ttfaMs, ownTtfaMs, audioMs, frames,
     * lateFrames, latestMs, doneAfterMs }`. `ttfaMs` counts from the first word; `ownTtfaMs`, which the server reports,
     * from the first text that could be spoken. A frame is late when it arrives after the moment at which a player that
     * started with the first frame needs it.
     */
    speak({ text, voiceId, wordMs, sampleRateHz = 24_000 }) {
      const id = `c${++count}`
      const send = (message) => socket.send(JSON.stringify({ context_id: id, ...message }))
      return new Promise((resolve, reject) => {
        const figures = { ttfaMs: undefined, audioMs: 0, frames: 0, lateFrames: 0, latestMs: 0 }
        let startedMs
        let playsFromMs
        contexts.set(id, {
          reject,
          onFrame(nowMs, startMs, bytes) {
            playsFromMs ??= nowMs
            figures.ttfaMs ??= nowMs - startedMs
            const lateMs = nowMs - (playsFromMs + startMs)
            figures.frames += 1
            figures.audioMs += (bytes * 1000) / 2 / sampleRateHz
            if (lateMs > 1) figures.lateFrames += 1
            figures.latestMs = Math.max(figures.latestMs, lateMs)
          },
          onDone: (nowMs, { ttfa_ms: ownTtfaMs }) => resolve({ ...figures, ownTtfaMs, doneAfterMs: nowMs - startedMs }),
        })
        const output = { format: 'pcm_s16le', sample_rate: sampleRateHz }
        send({ event: 'start', voice_id: voiceId, audio_frames: 'binary', output })
        startedMs = performance.now()
        const words = text.split(/(?<= )/)
        const sendNext = () => {
          if (socket.readyState !== socket.OPEN || !contexts.has(id)) return
          if (wordMs === 0) {
            send({ event: 'text', text: words.splice(0).join('') })
          } else send({ event: 'text', text: words.shift() })
          if (words.length > 0) setTimeout(sendNext, wordMs)
          else send({ event: 'end' })
        }
        sendNext()
      })
    },
    close: () => socket.close(),
  }
}

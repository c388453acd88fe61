/**
 * One caller of `/v1/tts/stream`, as an application would be that has a language model write and a person listen: it
 * sends a text word by word, and hears every frame when it comes.
 */
import { WebSocket } from 'ws'
import { frameHeaderBytes } from './stream-frame.mjs'
import { mintStreamToken, refusal, streamProtocol } from './stream-token.mjs'

/** Connects with a token of its own. Rejects with a `refusal` where the server has no room. */
export const connectCaller = async ({ url, authorization }) => {
  const token = await mintStreamToken({ url, authorization })
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/tts/stream`, [streamProtocol, `awp.token.${token}`])
  const contexts = new Map()
  const byIndex = new Map()
  let told
  const ready = new Promise((resolve, reject) => {
    socket.once('unexpected-response', (_request, response) => {
      reject(refusal(`http_${response.statusCode}`, 'the connection was refused'))
    })
    socket.once('error', reject)
    told = { resolve, reject }
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
    if (message.event === 'ready') return told.resolve()
    const context = contexts.get(message.context_id)
    if (message.event === 'started') return byIndex.set(message.context_index, context)
    if (message.event === 'done') {
      contexts.delete(message.context_id)
      return context.onDone(nowMs, message)
    }
    if (message.event !== 'error') return
    const error = refusal(message.code, message.detail)
    if (context === undefined) return told.reject(error)
    contexts.delete(message.context_id)
    context.reject(error)
  })
  socket.once('close', (code) => endAll(refusal(`close_${code}`, 'the connection was closed')))
  await ready

  let count = 0
  return {
    /**
     * Says a text, word by word with `wordMs` between them. Answers `{ ttfaMs, ownTtfaMs, audioMs, frames, lateFrames,
     * latestMs, doneAfterMs }`: the first counts from the first word, the second, which the server tells, from the first text
     * that could be spoken; a frame is late when it comes after the time at which whoever began to listen at once would have needed it.
     */
    speak({ text, voiceId, wordMs, sampleRateHz = 24_000 }) {
      const id = `c${++count}`
      const send = (message) => socket.send(JSON.stringify({ context_id: id, ...message }))
      return new Promise((resolve, reject) => {
        const heard = { ttfaMs: undefined, audioMs: 0, frames: 0, lateFrames: 0, latestMs: 0 }
        let startedMs
        let playsFromMs
        contexts.set(id, {
          reject,
          onFrame(nowMs, startMs, bytes) {
            playsFromMs ??= nowMs
            heard.ttfaMs ??= nowMs - startedMs
            const lateMs = nowMs - (playsFromMs + startMs)
            heard.frames += 1
            heard.audioMs += (bytes * 1000) / 2 / sampleRateHz
            if (lateMs > 1) heard.lateFrames += 1
            heard.latestMs = Math.max(heard.latestMs, lateMs)
          },
          onDone: (nowMs, { ttfa_ms: ownTtfaMs }) => resolve({ ...heard, ownTtfaMs, doneAfterMs: nowMs - startedMs }),
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

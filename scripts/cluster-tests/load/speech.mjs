// Speech over HTTP, and over streams whose text comes a sentence a second, so that a restart falls into their life.
import { setTimeout as delay } from 'node:timers/promises'
import { call, callJson, packageOf, socketUrl } from './api.mjs'

const { WebSocket } = packageOf('gateway', 'ws')
const text = 'One two three four five six seven eight nine ten.'
const sentences = 8

export const createRequestWork = (authorization, voice) => async () => {
  const body = { text, voice_id: voice.id, output: { format: 'wav' } }
  const wav = await call(authorization, 'POST', '/v1/tts', body)
  if (wav.length < 20_000) throw new Error(`${wav.length} bytes of audio`)
}

export const createStreamWork = (authorization, voice) => async () => {
  const { token } = await callJson(authorization, 'POST', '/v1/tts/stream-tokens')
  const socket = new WebSocket(`${socketUrl}/v1/tts/stream`, ['awp.tts.v1', `awp.token.${token}`])
  const send = (event) => socket.send(JSON.stringify(event))
  await new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)))
    socket.on('open', async () => {
      send({ event: 'start', voice_id: voice.id, output: { format: 'pcm_s16le', sample_rate: 24_000 } })
      for (let sent = 0; sent < sentences && socket.readyState === socket.OPEN; sent += 1) {
        send({ event: 'text', text: `${text} ` })
        await delay(1000)
      }
      if (socket.readyState === socket.OPEN) send({ event: 'end' })
    })
    socket.on('message', (data) => {
      const event = JSON.parse(String(data))
      if (event.event === 'error') reject(new Error(`${event.code}: ${event.detail}`))
      if (event.event !== 'done') return
      if (event.characters_billed >= sentences * text.length) resolve()
      else reject(new Error(`${event.characters_billed} characters were spoken`))
    })
  })
  socket.close(1000)
}

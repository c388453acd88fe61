// Runs in a pod of the cluster: speech over HTTP and over streams, until the file /tmp/stop is there. Prints the counts and each
// failure as JSON. Requests are not repeated: a client without retries shall notice no restart.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const home = '/opt/parlance'
const url = process.env.PARLANCE_URL
const { WebSocket } = createRequire(`${home}/services/gateway/`)('ws')
const text = 'One two three four five six seven eight nine ten.'

const { stdout } = await promisify(execFile)(process.execPath, [
  `${home}/cli/bin/parlance.mjs`,
  ...['workspace', 'create', 'load', '--credit', '1000', '--key', 'load', '--json'],
])
const authorization = `Bearer ${JSON.parse(stdout).key.key}`

const call = async (method, path, body) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${response.status} ${bytes}`)
  return bytes
}
const [voice] = JSON.parse(await call('GET', '/v1/voices?language=en')).voices

const request = async () => {
  const wav = await call('POST', '/v1/tts', { text, voice_id: voice.id, output: { format: 'wav' } })
  if (wav.length < 20_000) throw new Error(`${wav.length} bytes of audio`)
}

/** A stream that speaks a sentence each second, so that a restart falls into its life. */
const stream = async () => {
  const { token } = JSON.parse(await call('POST', '/v1/tts/stream-tokens'))
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/tts/stream`, ['awp.tts.v1', `awp.token.${token}`])
  const sentences = 8
  await new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)))
    socket.on('open', async () => {
      const send = (event) => socket.send(JSON.stringify(event))
      send({ event: 'start', voice_id: voice.id, output: { format: 'pcm_s16le', sample_rate: 24_000 } })
      for (let sent = 0; sent < sentences && socket.readyState === socket.OPEN; sent += 1) {
        send({ event: 'text', text: `${text} ` })
        await delay(1000)
      }
      if (socket.readyState === socket.OPEN) send({ event: 'end' })
    })
    socket.on('message', (data) => {
      const event = JSON.parse(String(data))
      if (event.event === 'error') reject(new Error(event.code))
      if (event.event !== 'done') return
      const isWhole = event.characters_billed >= sentences * text.length
      if (isWhole) resolve()
      else reject(new Error(`${event.characters_billed} characters were spoken`))
    })
  })
  socket.close(1000)
}

const count = { requests: 0, streams: 0 }
const failures = []
const repeat = async (kind, work, pauseMs) => {
  while (!existsSync('/tmp/stop')) {
    await work().then(
      () => {
        count[kind] += 1
      },
      (error) =>
        failures.push(`${new Date().toISOString()} ${kind}: ${error.message} ${error.cause?.message ?? ''}`.trim()),
    )
    await delay(pauseMs)
  }
}
console.error('ready')
await Promise.all([repeat('requests', request, 100), repeat('requests', request, 100), repeat('streams', stream, 0)])
console.log(JSON.stringify({ ...count, failures }))

// `helm test`: runs the commands that the notes of the release show, which make a workspace and invite its Owner, receives speech
// over a stream and the first words of a conversation, and deletes the workspace. Ends with 0 when both had sound.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const home = process.env.PARLANCE_HOME ?? '/opt/parlance'
const url = process.env.PARLANCE_URL
const { WebSocket } = createRequire(`${home}/services/gateway/`)('ws')
const run = promisify(execFile)
const limitMs = 30_000

/** Runs a command as a shell does, with these variables. Resolves to what it printed. */
const runCommand = async (command, variables = {}) => {
  const { stdout } = await run('sh', ['-c', command], { cwd: home, env: { ...process.env, ...variables } })
  return stdout
}

/** Runs what the notes of the release show. Resolves to the workspace and the key that the commands have made. */
const runFirstCommands = async (file) => {
  const [createWorkspace, ...others] = (await readFile(file, 'utf8')).trim().split('\n')
  const output = await runCommand(createWorkspace)
  const [workspaceId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output)
  const [key] = /\bawp_\w+/.exec(output)
  for (const command of others) await runCommand(command, { WORKSPACE: workspaceId })
  return { workspaceId, key }
}

const call = async (authorization, method, path, body) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(limitMs),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** The address of a socket at the service in the cluster: the answer names the public one. */
const socketUrl = (address) => {
  const { pathname, search } = new URL(address)
  return `${url.replace(/^http/, 'ws')}${pathname}${search}`
}

/** The loudest sample of little-endian 16-bit PCM, from 0 to 1. */
const loudest = (pcm) => {
  let peak = 0
  for (let at = 0; at + 1 < pcm.length; at += 2) peak = Math.max(peak, Math.abs(pcm.readInt16LE(at)) / 32_768)
  return peak
}

/** Opens a socket and resolves to the audio that came until `isEnough`; rejects for an `error` event and after 30 s. */
const receive = (address, protocol, token, { onOpen, audioOf, isEnough, ignoredError }) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, [protocol, `awp.token.${token}`])
    const chunks = []
    const end = (settle, value) => {
      clearTimeout(limit)
      settle(value)
      socket.close(1000)
    }
    const limit = setTimeout(() => end(reject, new Error(`${protocol}: no audio within ${limitMs} ms`)), limitMs)
    socket.on('open', () => onOpen(socket))
    socket.on('error', (error) => end(reject, error))
    socket.on('close', (code) => end(reject, new Error(`${protocol}: closed with ${code}`)))
    socket.on('message', (data, isBinary) => {
      const event = isBinary ? undefined : JSON.parse(String(data))
      if (event?.event === 'error' && event.code !== ignoredError) return end(reject, new Error(`${protocol}: ${event.code}: ${event.detail}`))
      const audio = audioOf(event, data)
      if (audio) chunks.push(audio)
      if (isEnough(event, Buffer.concat(chunks))) end(resolve, Buffer.concat(chunks))
    })
  })

const report = (what, pcm, sampleRateHz) => {
  const seconds = (pcm.length / 2 / sampleRateHz).toFixed(2)
  if (loudest(pcm) < 0.05) throw new Error(`${what}: ${seconds} s of silence`)
  console.log(`${what}: received ${seconds} s of sound`)
}

const testStream = async (authorization, voice) => {
  const { token, websocket_url, protocol } = await call(authorization, 'POST', '/v1/tts/stream-tokens')
  const output = { format: 'pcm_s16le', sample_rate: 24_000 }
  const pcm = await receive(socketUrl(websocket_url), protocol, token, {
    onOpen(socket) {
      for (const event of [
        { event: 'start', voice_id: voice.id, output },
        { event: 'text', text: 'Parlance is installed and speaks.' },
        { event: 'end' },
      ]) {
        socket.send(JSON.stringify(event))
      }
    },
    audioOf: (event) => event?.event === 'audio' && Buffer.from(event.data, 'base64'),
    isEnough: (event) => event?.event === 'done',
  })
  report('stream', pcm, 24_000)
}

const testConversation = async (authorization, voice) => {
  const agent = await call(authorization, 'POST', '/v1/agents', {
    slug: 'helm-test',
    display_name: 'Helm test',
    voice_id: voice.id,
    voice_config: { tts_variant: voice.variants[0].id },
    first_message: 'Hello, this is a test.',
    llm_provider: 'builtin',
    llm_model: 'rules',
  })
  await call(authorization, 'POST', `/v1/agents/${agent.id}/publish`, {})
  const { token } = await call(authorization, 'POST', `/v1/agents/${agent.id}/session-tokens`, {})
  const session = await call(`Bearer ${token}`, 'POST', `/v1/agents/${agent.id}/sessions`, {
    transport: 'websocket',
    input_mode: 'push-to-talk',
  })
  const pcm = await receive(socketUrl(session.websocket_url), 'awp.session.v1', token, {
    onOpen: (socket) => socket.send(JSON.stringify({ event: 'client.ready' })),
    audioOf: (event, data) => event === undefined && data,
    isEnough: (_event, audio) => loudest(audio) >= 0.05,
    // An installation without a recognizer says so first.
    ignoredError: 'unavailable',
  })
  report('conversation', pcm, 24_000)
  await call(authorization, 'DELETE', `/v1/agents/${agent.id}`)
}

const { workspaceId, key } = await runFirstCommands(new URL('first-commands.txt', import.meta.url))
try {
  const authorization = `Bearer ${key}`
  const { voices } = await call(authorization, 'GET', '/v1/voices?language=en')
  if (voices.length === 0) throw new Error('GET /v1/voices: no voice speaks English')
  await testStream(authorization, voices[0])
  await testConversation(authorization, voices[0])
} finally {
  for (const verb of ['suspend', 'delete']) await run(process.execPath, ['cli/bin/parlance.mjs', 'workspace', verb, workspaceId], { cwd: home })
}

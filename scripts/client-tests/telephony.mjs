/**
 * What is alike in the checks of telephone networks: a scripted caller speaks the protocol of a network's sockets, a model server of
 * this script answers, and the network's API is a server of this script.
 *
 * A network is
 * - `client`, its name and that of its package, `account_sid` and `auth_token`, and `dialect`, the name of its XML;
 * - `fields`: those of a webhook for a call from `caller` to `number`, and `callId`;
 * - `sign(url, fields, isForged)`: the headers of a webhook. Throws if the network's own package does not agree;
 * - `connection(xml)`: the socket of the answer as `{ streamUrl, passed }`, and `start(passed)`: its first messages;
 * - `media(payload)`, `digit(digit)`, `played(mark)` and `stop`: later messages;
 * - `read(message)`: `{ audio }` in base64, `{ clear: true }` or `{ mark }` of a message to the network;
 * - `isTransfer(request, follow)`: whether the request to the API transfers the call. `follow(url)` sends a signed webhook.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { WebSocket } from 'ws'

export const number = '+4930123456'
export const caller = '+4915112345678'
export const transferredTo = '+4930654321'
const long = 'I will tell you a long story about the sea. '.repeat(20)

const bodyOf = async (request) => Buffer.concat(await request.toArray()).toString()

const listen = async (port, handle) => {
  const server = createServer((request, response) => void handle(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port: server.address().port, stop: () => server.close().closeAllConnections() }
}

/** A model that is told what to do by the keys that the caller presses. */
const startModel = () =>
  listen(0, async (request, response) => {
    if (request.method === 'GET') {
      return response.end(JSON.stringify({ object: 'list', data: [{ id: 'keys', object: 'model' }] }))
    }
    const { messages } = JSON.parse(await bodyOf(request))
    const { role, content } = messages.at(-1)
    const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text).join('')
    const call = (name, args) => ({
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    })
    const delta =
      role !== 'user'
        ? { content: 'That is done.' }
        : text === '9#'
          ? call('end_call', { message: 'Goodbye.' })
          : text === '0#'
            ? call('transfer_call', { number: transferredTo, message: 'I put you through.' })
            : { content: text === '7#' ? long : `You pressed ${text}.` }
    const chunk = (choice) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'keys', ...choice })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] }))
    response.write(
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: delta.tool_calls ? 'tool_calls' : 'stop' }] }),
    )
    response.end('data: [DONE]\n\n')
  })

/** What the network does for one call. `playedMs` is the audio that it was sent. */
const placeCall = async (network, { streamUrl, passed }) => {
  const socket = new WebSocket(streamUrl)
  const call = { playedMs: 0, clears: 0, loudest: 0 }
  const send = (message) => socket.send(JSON.stringify(message))
  socket.on('message', (data) => {
    const { audio, clear, mark } = network.read(JSON.parse(data))
    if (clear) call.clears += 1
    if (mark !== undefined) send(network.played(mark))
    if (audio === undefined) return
    const ulaw = Buffer.from(audio, 'base64')
    call.playedMs += ulaw.length / 8
    for (const byte of ulaw) call.loudest = Math.max(call.loudest, ~byte & 0x7f)
  })
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  await once(socket, 'open')
  for (const message of network.start(passed)) send(message)
  const silence = Buffer.alloc(160, 0xff).toString('base64')
  const microphone = setInterval(() => send(network.media(silence)), 20)
  closed.then(() => clearInterval(microphone))
  return {
    call,
    closed,
    press(keys) {
      for (const digit of keys) send(network.digit(digit))
    },
    hangUp() {
      send(network.stop)
      socket.close()
    },
    async until(what, withinMs = 20_000) {
      for (const endsAtMs = performance.now() + withinMs; !what(call); ) {
        if (performance.now() > endsAtMs)
          throw new Error(`nothing after ${withinMs} ms: ${what} ${JSON.stringify(call)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

const { PARLANCE_URL: url, PARLANCE_API_KEY: key, PARLANCE_OWNER_COOKIE: cookie } = process.env

export const checkNetwork = async (network) => {
  const { client, dialect, account_sid, auth_token, fields, callId } = network
  const check = (name, ok, detail = '') =>
    console.log(JSON.stringify({ client, check: name, ok, detail: ok ? '' : String(detail) }))
  const requests = []
  const api = await listen(Number(process.env.PARLANCE_TELEPHONY_PORT), async (request, response) => {
    const { authorization } = request.headers
    requests.push({ method: request.method, path: request.url, authorization, body: await bodyOf(request) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const model = await startModel()
  const ask = async (method, path, body, headers = { authorization: `Bearer ${key}` }) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  try {
    const { workspaces } = await ask('GET', '/dashboard/api/signed-in', undefined, { cookie })
    const member = { cookie, 'x-parlance-workspace': workspaces[0].id }
    const provider = { kind: 'openai_compatible', name: 'Keys', url: `http://127.0.0.1:${model.port}/v1` }
    const { id: llm_provider } = await ask('POST', '/dashboard/api/providers', provider, member)
    const { voices } = await ask('GET', '/v1/voices?language=en')
    const agent = await ask('POST', '/v1/agents', {
      ...{ slug: `phone-${Date.now()}`, display_name: 'Phone', llm_provider, llm_model: 'keys' },
      ...{ voice_id: voices[0].id, voice_config: { tts_variant: voices[0].variants[0].id } },
      first_message: 'Hello, this is the telephone.',
      tools: [
        { type: 'builtin', name: 'end_call' },
        { type: 'builtin', name: 'transfer_call', numbers: [transferredTo] },
      ],
    })
    await ask('POST', `/v1/agents/${agent.id}/publish`)
    const entry = { number, agent_id: agent.id, provider: client, account_sid, auth_token }
    const added = await ask('POST', '/dashboard/api/phone-numbers', entry, member)
    check(
      'the number shows the webhook and no secret',
      added.webhook_url.startsWith(`${url}/v1/telephony/${client}`) && !JSON.stringify(added).includes(auth_token),
    )

    const webhook = (headers, to = added.webhook_url) =>
      fetch(to, { method: 'POST', headers, body: new URLSearchParams(fields) })
    const signed = async (to = added.webhook_url) => webhook(await network.sign(to, fields), to)
    check('a request without a signature is refused', (await webhook({})).status === 401)
    const forged = await webhook(await network.sign(added.webhook_url, fields, true))
    check('a request that another account has signed is refused', forged.status === 401)

    const dial = async () => {
      const answered = await signed()
      return { answered, connection: network.connection(await answered.text()) }
    }
    const recordOf = async () => (await ask('GET', `/v1/agent-sessions?agent_id=${agent.id}&limit=1`)).sessions[0]
    const ended = async () => {
      for (let n = 0; n < 200; n++) {
        const record = await recordOf()
        if (record.status === 'ended' || record.status === 'failed') return record
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error('the conversation did not end')
    }

    const first = await dial()
    check(
      `a signed request is answered with ${dialect}`,
      first.answered.status === 200 && /^text\/xml/.test(first.answered.headers.get('content-type')),
    )
    const talking = await placeCall(network, first.connection)
    await talking.until(({ playedMs, loudest }) => playedMs > 800 && loudest > 40)
    check('the Agent speaks in µ-law', true)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const before = talking.call.playedMs
    talking.press('7#')
    await talking.until(({ playedMs }) => playedMs > before + 1_500)
    talking.press('12#')
    await talking.until(({ clears }) => clears > 0)
    check('an interruption clears what was not played', true)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    talking.press('9#')
    const end = await talking.closed
    const record = await ended()
    check('end_call ends the call', end.code === 1000 && record.end_reason === 'agent_ended')
    check(
      'the record says phone',
      record.transport === 'phone' && record.metadata.phone.from === caller && record.metadata.phone.call_id === callId,
    )
    check('the conversation is charged', Number(record.credit_used) > 0 && record.usage.tts_characters > 0)

    const again = await placeCall(network, first.connection)
    check('a token starts one call', (await again.closed).code !== 1000)

    const second = await dial()
    const transferring = await placeCall(network, second.connection)
    await transferring.until(({ playedMs }) => playedMs > 1_500)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    transferring.press('0#')
    await transferring.until(() => requests.length > 0, 30_000)
    const follow = async (to) => (await signed(to)).text()
    check('transfer_call changes the call through the API', await network.isTransfer(requests[0], follow))
    transferring.hangUp()
    await transferring.closed

    const third = await dial()
    const hanging = await placeCall(network, third.connection)
    await hanging.until(({ playedMs }) => playedMs > 300)
    hanging.hangUp()
    check('a caller who hangs up ends the conversation', (await ended()).end_reason === 'user_disconnected')
    await ask('DELETE', `/dashboard/api/phone-numbers/${added.id}`, undefined, member)
    check('a number that was deleted is not answered', (await signed()).status === 401)
  } finally {
    api.stop()
    model.stop()
  }
}

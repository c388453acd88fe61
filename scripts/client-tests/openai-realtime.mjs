// OpenAI's clients of its Realtime protocol converse with an Agent: the package `openai` over a WebSocket, and the Agents SDK.
import { createConnection } from 'node:net'
import { RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { z } from 'zod'
import { runDocumented } from './checks.mjs'

const { PARLANCE_URL: url, PARLANCE_API_KEY: key, PARLANCE_VOICE_ID: voice } = process.env
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const withinMs = 30_000

const post = async (path, body, expected = 2) => {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = await response.json()
  if (Math.floor(response.status / 100) !== expected) throw new Error(`${path}: ${response.status} ${answer.detail}`)
  return answer
}
const balance = async () => Number((await (await fetch(`${url}/v1/credit`, { headers })).json()).balance)

const weather = {
  type: 'client',
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const newAgent = async (slug, fields = {}) => {
  const { voices } = await (await fetch(`${url}/v1/voices`, { headers })).json()
  const { id, variants } = voices.find((one) => one.id === voice)
  const agent = await post('/v1/agents', {
    slug,
    display_name: slug,
    voice_id: id,
    voice_config: { tts_variant: variants[0].id },
    llm_provider: 'builtin',
    llm_model: 'rules',
    first_message: 'Welcome to the demonstration.',
    ...fields,
  })
  await post(`/v1/agents/${agent.id}/publish`, {})
  return agent.id
}

/** 24 kHz PCM of a text, with the silence after it that ends a turn. */
const spoken = async (text) => {
  const body = { text, voice_id: voice, output: { format: 'pcm_s16le', sample_rate: 24_000 } }
  const response = await fetch(`${url}/v1/tts`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return Buffer.concat([Buffer.from(await response.arrayBuffer()), Buffer.alloc(24_000 * 2 * 2)])
}

const runner = (client) => async (check, work) => {
  const begunMs = performance.now()
  try {
    const detail = await work()
    console.log(JSON.stringify({ client, check, ok: true, detail: detail ?? '' }))
  } catch (error) {
    const detail = `${error.message} (${Math.round(performance.now() - begunMs)} ms)`
    console.log(JSON.stringify({ client, check, ok: false, detail }))
  }
}

const expect = (met, what) => {
  if (!met) throw new Error(what)
}

/** A connection whose events can be awaited in order. */
const connect = async (target, apiKey = key) => {
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1` })
  // The package always uses TLS, which the platform of this test does not have.
  const rt = new OpenAIRealtimeWS(
    { ...target, options: { createConnection: ({ port, host }) => createConnection({ port, host }) } },
    client,
  )
  const events = []
  let wake = () => {}
  rt.on('event', (event) => {
    events.push(event)
    wake()
  })
  // Errors of the protocol are events too.
  rt.on('error', ({ message, error }) => {
    if (error === undefined) events.push({ type: 'failure', error: { message } })
  })
  let read = 0
  const next = async (type, where = () => true) => {
    const timeout = AbortSignal.timeout(withinMs)
    for (;;) {
      for (; read < events.length; read++) {
        if (events[read].type === type && where(events[read])) return events[read++]
      }
      if (timeout.aborted)
        throw new Error(
          `no ${type} came, but ${events
            .slice(-12)
            .map((e) => e.type + (e.error ? `(${e.error.message})` : ''))
            .join(', ')}`,
        )
      await new Promise((resolve) => {
        wake = resolve
        setTimeout(resolve, 500)
      })
    }
  }
  return { rt, events, next, send: (event) => rt.send(event), close: () => rt.close() }
}

const say = ({ send }, text) => {
  send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  })
  send({ type: 'response.create' })
}

const transcriptOf = ({ response }) => response.output.map(({ content }) => content?.[0]?.transcript ?? '').join(' ')
const textOf = ({ response }) => response.output.map(({ content }) => content?.[0]?.text ?? '').join(' ')
/** Sends audio in parts of 200 ms. */
const append = ({ send }, audio) => {
  for (let at = 0; at < audio.length; at += 9_600) {
    send({ type: 'input_audio_buffer.append', audio: audio.subarray(at, at + 9_600).toString('base64') })
  }
}
const audioBytes = (events) =>
  events
    .filter(({ type }) => type === 'response.output_audio.delta')
    .reduce((sum, { delta }) => sum + Buffer.from(delta, 'base64').length, 0)

const withOpenai = async (agentId) => {
  const check = runner('openai')
  const before = await balance()
  const talk = await connect({ model: agentId })
  const { events, next, send } = talk

  await check('session.created and session.updated', async () => {
    const created = await next('session.created')
    expect(created.session.model === agentId && created.session.type === 'realtime', 'the session has another form')
    send({
      type: 'session.update',
      session: {
        type: 'realtime',
        instructions: 'Be brief.',
        audio: { input: { turn_detection: { type: 'server_vad' } } },
      },
    })
    const { session } = await next('session.updated')
    expect(session.instructions === 'Be brief.', 'the instructions were not set')
  })
  await check('the first response is the greeting', async () => {
    send({ type: 'response.create' })
    const done = await next('response.done')
    expect(transcriptOf(done) === 'Welcome to the demonstration.', `it said: ${transcriptOf(done)}`)
  })
  await check('a turn by text', async () => {
    say(talk, 'What is two plus three?')
    const done = await next('response.done')
    expect(transcriptOf(done).includes('5') || transcriptOf(done).includes('five'), `it said: ${transcriptOf(done)}`)
    expect(done.response.status === 'completed', done.response.status)
    expect(audioBytes(events) > 24_000, 'there was no audio')
    return transcriptOf(done)
  })
  await check('a turn by voice', async () => {
    append(talk, await spoken('Hello.'))
    await next('input_audio_buffer.speech_started')
    await next('input_audio_buffer.committed')
    const { transcript } = await next('conversation.item.input_audio_transcription.completed')
    const done = await next('response.done')
    expect(transcriptOf(done) !== '', 'it said nothing')
    return `heard “${transcript}”, said “${transcriptOf(done)}”`
  })
  await check('an interruption by voice', async () => {
    say(talk, 'What can you do?')
    await next('response.output_audio.delta')
    const audio = await spoken('What time is it now?')
    send({ type: 'input_audio_buffer.append', audio: audio.toString('base64') })
    await next('input_audio_buffer.speech_started')
    const { response } = await next('response.done')
    expect(response.status === 'cancelled' && response.status_details.reason === 'turn_detected', response.status)
    await next('response.done')
    return `cut off at “${response.output[0]?.content[0]?.transcript}”`
  })
  await check('a function call', async () => {
    say(talk, 'Call get weather with city Rome.')
    const call = await next('response.function_call_arguments.done')
    expect(JSON.parse(call.arguments).city === 'rome', call.arguments)
    const { response } = await next('response.done')
    expect(response.output.at(-1).type === 'function_call', 'the response has no call')
    send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: call.call_id, output: 'It is sunny in Rome' },
    })
    send({ type: 'response.create' })
    const done = await next('response.done')
    expect(transcriptOf(done).includes('sunny'), `it said: ${transcriptOf(done)}`)
  })
  await check('a cancelled response', async () => {
    say(talk, 'What can you do?')
    await next('response.output_audio.delta')
    send({ type: 'response.cancel' })
    const { response } = await next('response.done')
    expect(response.status_details?.reason === 'client_cancelled', response.status)
  })
  await check('errors name the event', async () => {
    send({ type: 'session.update', event_id: 'mine', session: { type: 'realtime', tool_choice: 'required' } })
    const { error } = await next('error')
    expect(error.event_id === 'mine', JSON.stringify(error))
    return error.message
  })
  await check('a turn that is transcribed, and answered when the client creates the response', async () => {
    const detection = (create_response) => ({
      type: 'session.update',
      session: { type: 'realtime', audio: { input: { turn_detection: { type: 'server_vad', create_response } } } },
    })
    send(detection(false))
    await next('session.updated')
    append(talk, await spoken('Hello.'))
    const { transcript } = await next('conversation.item.input_audio_transcription.completed')
    const before = events.filter(({ type }) => type === 'response.created').length
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(events.filter(({ type }) => type === 'response.created').length === before, 'it was answered')
    send({ type: 'response.create' })
    const done = await next('response.done')
    expect(done.response.status === 'completed', JSON.stringify(done.response.status_details))
    send(detection(true))
    await next('session.updated')
    return `heard “${transcript}”, said “${transcriptOf(done)}”`
  })
  await check('responses of text', async () => {
    const modality = (output_modalities) => ({
      type: 'session.update',
      session: { type: 'realtime', output_modalities },
    })
    send(modality(['text']))
    await next('session.updated')
    const audioBefore = audioBytes(events)
    say(talk, 'What is two plus three?')
    const { text } = await next('response.output_text.done')
    const done = await next('response.done')
    expect(textOf(done) === text && /5|five/.test(text), `it wrote: ${textOf(done)}`)
    expect(audioBytes(events) === audioBefore, 'there was audio')
    send(modality(['audio']))
    await next('session.updated')
    return text
  })
  await check('audio that the client commits, in G.711', async () => {
    const audio = {
      input: { format: { type: 'audio/pcmu' }, turn_detection: null },
      output: { format: { type: 'audio/pcmu' } },
    }
    send({ type: 'session.update', session: { type: 'realtime', audio } })
    await next('session.updated')
    const pcm = await spoken('Hello.')
    const ulaw = Buffer.alloc(pcm.length / 6)
    for (let at = 0; at < ulaw.length; at++) ulaw[at] = toUlaw(pcm.readInt16LE(at * 6))
    send({ type: 'input_audio_buffer.append', audio: ulaw.toString('base64') })
    send({ type: 'input_audio_buffer.commit' })
    await next('input_audio_buffer.committed')
    send({ type: 'response.create' })
    const done = await next('response.done')
    expect(done.response.status === 'completed', JSON.stringify(done.response.status_details))
  })
  talk.close()
  await check('a client secret starts one session', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1` })
    const { value } = await client.realtime.clientSecrets.create({ session: { type: 'realtime', model: agentId } })
    const first = await connect({ model: agentId }, value)
    await first.next('session.created')
    first.close()
    const second = await connect({ model: agentId }, value)
    const refused = await new Promise((resolve) =>
      second.rt.socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode)),
    )
    expect(refused === 409, String(refused))
  })
  await check('a session of text, which costs no speech', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1` })
    const session = { type: 'realtime', model: agentId, output_modalities: ['text'] }
    const { value } = await client.realtime.clientSecrets.create({ session })
    const writing = await connect({ model: agentId }, value)
    const id = (await writing.next('session.created')).session.id.replace('sess_', '')
    say(writing, 'What is two plus three?')
    const done = await writing.next('response.done')
    expect(/5|five/.test(textOf(done)), `it wrote: ${textOf(done)}`)
    writing.close()
    const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    for (let tries = 0; tries < 60; tries++) {
      const record = await (await fetch(`${url}/v1/agent-sessions/${uuid}`, { headers })).json()
      if (record.status === 'ended') return expect(record.usage.tts_characters === 0, JSON.stringify(record.usage))
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    throw new Error('the conversation did not end')
  })
  await check('a transcription session', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1` })
    const model = 'gpt-4o-transcribe'
    const texts = []
    for (const turn_detection of [{ type: 'server_vad' }, null]) {
      const session = { type: 'transcription', audio: { input: { turn_detection, transcription: { model } } } }
      const { value } = await client.realtime.clientSecrets.create({ session })
      const listening = await connect({ model }, value)
      const created = await listening.next('session.created')
      expect(created.session.type === 'transcription', created.session.type)
      append(listening, await spoken('Hello.'))
      if (turn_detection !== null) {
        const started = await listening.next('input_audio_buffer.speech_started')
        const stopped = await listening.next('input_audio_buffer.speech_stopped')
        expect(stopped.item_id === started.item_id && stopped.audio_end_ms > started.audio_start_ms, 'another item')
      } else listening.send({ type: 'input_audio_buffer.commit' })
      const { item_id } = await listening.next('input_audio_buffer.committed')
      const completed = await listening.next('conversation.item.input_audio_transcription.completed')
      expect(completed.item_id === item_id, 'another item was transcribed')
      expect(completed.transcript !== '', 'nothing was recognized')
      texts.push(completed.transcript)
      listening.close()
    }
    return texts.map((text) => `heard “${text}”`).join(', ')
  })
  await check('credit afterwards', async () => {
    for (let tries = 0; tries < 40 && (await balance()) === before; tries++)
      await new Promise((resolve) => setTimeout(resolve, 250))
    const spent = before - (await balance())
    expect(spent > 0, 'nothing was charged')
    return `${spent.toFixed(4)} credit`
  })
}

const toUlaw = (sample) => {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132
  const exponent = 31 - Math.clz32(magnitude) - 7
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 15)) & 0xff
}

const withAgentsSdk = async (agentId) => {
  const check = runner('@openai/agents-realtime')
  const calls = []
  const weatherTool = tool({
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: z.object({ city: z.string() }),
    async execute({ city }) {
      calls.push(city)
      return `It is sunny in ${city}`
    },
  })
  const agent = new RealtimeAgent({ name: 'Guide', instructions: 'Be brief.', tools: [weatherTool] })
  const session = new RealtimeSession(agent, { transport: 'websocket', model: agentId })
  const errors = []
  session.on('error', (error) => errors.push(error))
  let audio = 0
  session.on('audio', ({ data }) => {
    audio += data.byteLength
  })
  const ended = () => new Promise((resolve) => session.once('agent_end', (_, __, text) => resolve(text)))
  const within = (promise) =>
    Promise.race([
      promise,
      new Promise((_, reject) => setTimeout(() => reject(new Error(`timed out: ${JSON.stringify(errors)}`)), withinMs)),
    ])

  await check('connects, with tools and instructions', () =>
    within(session.connect({ apiKey: key, url: `${url.replace('http', 'ws')}/v1/realtime?model=${agentId}` })),
  )
  await check('a turn by text', async () => {
    const text = ended()
    session.sendMessage('What is two plus three?')
    expect(/5|five/.test(await within(text)), await text)
    expect(audio > 0, 'there was no audio')
  })
  await check('a turn by voice', async () => {
    const text = ended()
    const pcm = await spoken('Hello.')
    session.sendAudio(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength))
    return within(text)
  })
  await check('a function call', async () => {
    const called = new Promise((resolve) => session.once('agent_tool_end', (_, __, ___, result) => resolve(result)))
    session.sendMessage('Call get weather with city Rome.')
    expect((await within(called)).includes('sunny'), 'the tool had no result')
    const text = await within(ended())
    expect(text.includes('sunny'), text)
  })
  await check('an interruption', async () => {
    session.sendMessage('What can you do?')
    await within(new Promise((resolve) => session.once('audio', resolve)))
    const stopped = new Promise((resolve) =>
      session.transport.once('response.done', ({ response }) => resolve(response.status)),
    )
    session.interrupt()
    expect((await within(stopped)) === 'cancelled', await stopped)
  })
  await check('the history has what was said', () => {
    const said = session.history.filter(({ type }) => type === 'message').length
    expect(said >= 6, `${said} messages`)
    expect(errors.length === 0, JSON.stringify(errors))
  })
  session.close()
  await check('the program of the documentation', async () => {
    const documented = await within(runDocumented('docs/openai-realtime.md', ['session'], { AGENT: agentId }))
    const text = new Promise((resolve) => documented.session.once('agent_end', (_, __, text) => resolve(text)))
    documented.session.sendMessage('What is two plus three?')
    expect(/5|five/.test(await within(text)), await text)
    documented.session.close()
  })
}

const slug = `realtime-${process.pid}`
const agentId = await newAgent(slug, { tools: [weather], session_config: { overrides: ['system_prompt', 'voice_id'] } })
const only = process.argv[2]
if (only !== 'agents') await withOpenai(agentId)
if (only !== 'openai') await withAgentsSdk(agentId)
process.exit(0)

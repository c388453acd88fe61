/** A user speaks to an Agent over a WebSocket: real recognition, a stand-in for the language model, real speech. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { concatPcm, soundsOf, timingOf } from '@parlance/audio'
import { decodeOggOpus } from '@parlance/audio/encoding'
import type { SessionRecord, SessionServerEvent } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import {
  type ChatCompletionsStandIn,
  type ReceivedRequest,
  startChatCompletionsStandIn,
} from '@parlance/testing/stand-ins'
import type { TestedPlatform } from '../cli/src/agent-tests/run-scenario.js'
import { runCommandLine } from '../cli/src/command-line.js'
import { spoken } from '../services/sessions/test/spoken.js'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import { openMicrophone } from './microphone.js'
import { msOf, pcmOf, sampleRateHz } from './pauses-of-audio.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { decodeRecording } from './recorded-channels.js'
import { connectSession } from './session-peer.js'
import { shareRecognized } from './share-recognized.js'

const question = 'Please tell me a very long story.'
const reply = 'I know only a short one.'

describeWithPrograms(['flite', 'pocketsphinx', 'ffmpeg'], 'a spoken conversation over a WebSocket', () => {
  let platform: TestPlatform
  let model: ChatCompletionsStandIn

  beforeAll(async () => {
    model = await startChatCompletionsStandIn({ text: reply })
    platform = await startTogether({ LLM_COMPATIBLE_URL: model.baseUrl, STT_PROVIDER: 'pocketsphinx' })
  })
  afterAll(async () => {
    await platform?.stop()
    await model?.close()
  })

  test('is transcribed, answered in speech, and recorded, with each side on its channel where the transcript says', async () => {
    const { authorization, workspace } = await newKey(platform)
    const api = createApi(platform.urls[0], authorization)
    const voice = await api.voice()
    const { body: agent } = await api.post('/v1/agents', {
      slug: 'front-desk',
      display_name: 'Front desk',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      llm_provider: 'openai_compatible',
      llm_model: 'stand-in',
    })
    expect((await api.post(`/v1/agents/${agent.id}/publish`)).status).toBe(201)
    await platform.recordings.putSettings({
      ...{ workspace_id: workspace.id, agent_id: agent.id },
      settings: { enabled: true, consent_required: true, retention_days: 1 },
    })
    const { body: minted } = await api.post(`/v1/agents/${agent.id}/session-tokens`, {
      metadata: { recording_consent: true },
    })
    const started = await api.post(
      `/v1/agents/${agent.id}/sessions`,
      { transport: 'websocket', input_mode: 'automatic' },
      { authorization: `Bearer ${minted.token}` },
    )
    expect(started.status).toBe(201)
    const recording = await spoken(question)
    const peer = await connectSession(started.body.websocket_url, minted.token)
    peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    const microphone = openMicrophone(recording, peer.sendAudio)

    const asked = await peer.event('transcript', ({ role, final }) => role === 'user' && final)
    expect(shareRecognized(question, asked.text)).toBeGreaterThanOrEqual(0.5)
    const answered = await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    expect(answered.text).toBe(reply)
    // All audio of the reply has arrived by now: at least a second, louder than noise.
    expect(peer.audioBytes()).toBeGreaterThan(2 * 24_000)
    expect(peer.loudest()).toBeGreaterThan(0.02)
    microphone.off()

    peer.socket.close()
    await peer.closed
    const { body } = await eventually(async () => {
      const answer = await api.get(`/v1/agent-sessions/${started.body.session_id}`)
      return answer.body.status === 'ended' ? answer : undefined
    })
    const record = body as SessionRecord
    expect(record).toMatchObject({ transport: 'websocket', end_reason: 'user_disconnected', error: null })
    expect(record.transcript).toMatchObject([
      { role: 'user', text: asked.text },
      { role: 'agent', text: reply },
    ])
    expect(record.usage.stt_seconds).toBeGreaterThan(1)

    const address = { workspace_id: workspace.id, session_id: record.id }
    const { recording: stored } = await eventually(async () => {
      const found = await platform.recordings.getRecording(address)
      return found.recording?.state === 'stored' ? found : undefined
    })
    const parts: Uint8Array[] = []
    const range = { start: 0, end: stored!.size_bytes! }
    await platform.recordings.readRecording({ ...address, ...range })(
      ({ data }) => void parts.push(data),
      new AbortController().signal,
    )
    const audio = decodeRecording(Buffer.concat(parts))
    expect(Math.abs(audio.durationMs - stored!.duration_ms!)).toBeLessThan(20)
    const [askedMs, answeredMs] = stored!.positions.map(({ start_ms }) => start_ms) as [number, number]
    expect(stored!.positions.map(({ message_id }) => message_id)).toEqual(record.transcript.map(({ id }) => id))
    expect(Math.abs(audio.user.onsetMs() - askedMs)).toBeLessThan(500)
    expect(Math.abs(audio.agent.onsetMs() - answeredMs)).toBeLessThan(200)
    // Each channel is loud while its side speaks, and the other is at least 40 dB below.
    const [whileAsked, whileAnswered] = [
      [askedMs + 200, Math.min(askedMs + 1_200, answeredMs)],
      [answeredMs + 100, answeredMs + 1_100],
    ] as const
    expect(audio.user.loudness(...whileAsked)).toBeGreaterThan(0.01)
    expect(audio.agent.loudness(...whileAsked)).toBeLessThan(audio.user.loudness(...whileAsked) / 100)
    expect(audio.agent.loudness(...whileAnswered)).toBeGreaterThan(0.01)
    expect(audio.user.loudness(...whileAnswered)).toBeLessThan(audio.agent.loudness(...whileAnswered) / 100)
  })

  test('speech that a noise pauses goes on with the word that was cut: by its samples nothing is missing, and only that word is said again', async () => {
    const story = 'The unforgettable expedition to Constantinople encountered extraordinary meteorological phenomena.'
    const { authorization } = await newKey(platform)
    const api = createApi(platform.urls[0], authorization)
    const voice = await api.voice()
    const { body: agent } = await api.post('/v1/agents', {
      slug: 'harbor',
      display_name: 'Harbor',
      first_message: story,
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      llm_provider: 'openai_compatible',
      llm_model: 'stand-in',
      // A sound of half a second is no interruption, whatever the recognizer takes it for.
      turn_config: { interruption_min_ms: 5_000 },
    })
    expect((await api.post(`/v1/agents/${agent.id}/publish`)).status).toBe(201)
    const { body: minted } = await api.post(`/v1/agents/${agent.id}/session-tokens`)
    const started = await api.post(
      `/v1/agents/${agent.id}/sessions`,
      { transport: 'websocket', input_mode: 'automatic' },
      { authorization: `Bearer ${minted.token}` },
    )
    const noise = await spoken('Ah!')
    const peer = await connectSession(started.body.websocket_url, minted.token)
    const frames: { readonly atMs: number; readonly pcm: Int16Array }[] = []
    /** With the number of frames before each. */
    const states: { readonly state: string; readonly frames: number }[] = []
    peer.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return frames.push({ atMs: performance.now(), pcm: pcmOf(data) })
      const event = JSON.parse(String(data)) as SessionServerEvent
      return event.event === 'agent.state' && states.push({ state: event.state, frames: frames.length })
    })
    peer.send({ event: 'client.ready' })
    await eventually(() => frames.length > 50 || undefined)
    const microphone = openMicrophone(noise, peer.sendAudio)
    const said = await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    microphone.off()
    peer.socket.close(1000)
    await peer.closed

    expect(said).toMatchObject({ text: story })
    expect(said.interrupted).not.toBe(true)
    const words = peer.events.flatMap((event) => (event.event === 'alignment' ? event.words : []))
    const [, resumption] = states.filter(({ state }) => state === 'speaking')
    const cut = resumption!.frames
    const joined = (part: typeof frames) => concatPcm(part.map(({ pcm }) => pcm))
    const [before, after] = [joined(frames.slice(0, cut)), joined(frames.slice(cut))]
    const stoppedMs = msOf(before.length)
    // The frame in which it pauses, and the first 5 ms after that, are faded.
    const [fade, lastFrame] = [(5 * sampleRateHz) / 1000, frames[cut - 1]!.pcm.length]
    const isAgain = (at: number) =>
      at < before.length - lastFrame &&
      before.subarray(at + fade, before.length - lastFrame).every((sample, index) => sample === after[fade + index])
    const samplesOf = (ms: number) => Math.round((ms * sampleRateHz) / 1000)
    /** A word begins at a whole number of ms, or between two, and later when audio before it came late: a frame has silence then. */
    const repeatOf = ({ start_ms }: { readonly start_ms: number }) =>
      Array.from({ length: samplesOf(100) }, (_, index) => samplesOf(start_ms - 2) + index).find(isAgain)
    const word = words.findLast((each) => each.start_ms < stoppedMs && repeatOf(each) !== undefined)
    expect(word).toBeDefined()
    expect(word!.end_ms).toBeGreaterThan(stoppedMs - 100)
    // Each later word is in the samples, and none again: a word is longer than the silence at the end.
    const beyondMs = word!.start_ms + msOf(after.length) - words.at(-1)!.end_ms
    expect(beyondMs).toBeGreaterThanOrEqual(0)
    expect(beyondMs).toBeLessThan(300)
    const gapMs = Math.round(frames[cut]!.atMs - frames[cut - 1]!.atMs)
    process.stderr.write(
      `paused at ${stoppedMs} ms in "${word!.text}", resumed at ${Math.round(msOf(repeatOf(word!)!))} ms after a gap of ${gapMs} ms\n`,
    )
  })

  test('the scenario of the documentation passes against a draft that does what it expects, and fails with the reasons otherwise', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-scenario-'))
    const path = join(folder, 'front-desk.yaml')
    const document = await readFile(new URL('../docs/agent-tests.md', import.meta.url), 'utf8')
    // How long this machine takes is not tested.
    await writeFile(path, /```yaml\n([\s\S]*?)```/.exec(document)![1]!.replace(/within_ms: \d+/, 'within_ms: 25000'))
    const { authorization } = await newKey(platform)
    const api = createApi(platform.urls[0], authorization)
    const voice = await api.voice()
    const { status, body: agent } = await api.post('/v1/agents', {
      slug: 'front-desk',
      display_name: 'Front desk',
      first_message: 'Welcome to the shop.',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      llm_provider: 'openai_compatible',
      llm_model: 'stand-in',
      tools: [{ type: 'client', name: 'opening_hours', description: 'Returns them.', parameters: {} }],
    })
    expect(status).toBe(201)
    const test = async (calls: TestedPlatform['calls'], ...options: string[]) => {
      let printed = ''
      const print = (text: string) => {
        printed += text
      }
      const unused = async () => Promise.reject(new Error('not used'))
      const exitCode = await runCommandLine(['test', path, '--recordings', folder, ...options], {
        ...{ openCalls: unused, findToolKey: unused, findGatewayUrl: unused, findApi: unused, width: undefined },
        ...{ profiles: { read: unused, write: unused, readKey: unused } },
        ...{ progress: () => {}, print, printError: print },
        openTestedPlatform: async () => ({
          ...{ url: platform.urls[0], apiKey: authorization.replace('Bearer ', ''), calls },
          close: async () => {},
        }),
      })
      return { exitCode, printed }
    }
    const operator = platform as unknown as NonNullable<TestedPlatform['calls']>
    const judged = (result: string) => JSON.stringify({ criteria: { 1: { result, reason: 'It did.' } }, data: {} })
    const isJudging = ({ body }: ReceivedRequest) => JSON.stringify(body).includes('You judge what happened')
    const isAfterTool = ({ body }: ReceivedRequest) => (body.messages as { role: string }[]).at(-1)!.role === 'tool'

    model.script((text, request) => {
      if (isJudging(request)) return { text: judged('success') }
      if (isAfterTool(request)) return { text: 'We open at nine in the morning.' }
      if (!/open/.test(text)) return { text: 'You are welcome.' }
      return { text: '', calls: [{ id: 'call', name: 'opening_hours', json: ['{}'] }] }
    })
    const passed = await test(operator, '--json')
    expect(JSON.parse(passed.printed)).toMatchObject({
      passed: true,
      scenarios: [
        { pass_rate: 1, runs: [{ failures: [], recording: null, turns: [{}, { tools: ['opening_hours'] }, {}] }] },
      ],
    })
    expect(passed.exitCode).toBe(0)

    model.script((_, request) => ({ text: isJudging(request) ? judged('failure') : 'No idea.' }))
    const failed = await test(operator, '--repeat', '2', '--junit', join(folder, 'report.xml'))
    expect(failed.exitCode).toBe(1)
    expect(failed.printed).toMatch(/^FAILED .*: Tells when the shop opens, 0 of 2 runs passed \(0 %\)$/m)
    for (const line of [
      'turn 2: the reply lacks "nine"',
      'turn 2: the tool opening_hours was not called',
      'turn 3: the reply lacks "you are welcome"',
      'judged as failure: The assistant names one hour, and promises nothing else. (It did.)',
      'user: When do you open tomorrow?',
    ]) {
      expect(failed.printed).toContain(line)
    }
    expect(await readFile(join(folder, 'report.xml'), 'utf8')).toMatch(
      /<testsuite name="[^"]+" tests="2" failures="2"[\s\S]*<failure message="[^"]*the tool opening_hours was not called/,
    )
    const measured = await readFile(join(folder, 'tells-when-the-shop-opens-2.ogg'))
    const [caller, heard] = decodeOggOpus(measured, 24_000).map((channel) => soundsOf(channel, 24_000))
    // Of two replies, one is to a voice.
    expect(timingOf(caller!, heard!).replies).toHaveLength(1)

    // A key alone shows no tools and reaches no drafts.
    const refused = await test(undefined)
    expect(refused).toEqual({ exitCode: 1, printed: expect.stringContaining('which an API key alone does not show') })
    model.script(() => ({ text: 'Good morning.' }))
    await writeFile(
      path,
      'agent: front-desk\nscenarios: [{ name: Greets, turns: [{ user: Hello, expect: { words: [morning] } }] }]\n',
    )
    expect((await api.post(`/v1/agents/${agent.id}/publish`)).status).toBe(201)
    expect(await test(undefined)).toMatchObject({
      exitCode: 0,
      printed: expect.stringContaining('1 of 1 scenarios passed'),
    })
    await rm(folder, { recursive: true })
  })
})

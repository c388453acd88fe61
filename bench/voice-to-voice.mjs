/**
 * Voice to voice with real local models: an installed voice asks ten questions, an installed recognizer transcribes them, a stand-in
 * language model begins its answer after 150 ms, and the voice replies. Each question goes to three Agents, one after the other:
 * one with today's defaults, one that prepares no replies, and one with the defaults of before. Voice to voice is the time from the last
 * loud sample of the question to the first loud sample of the reply, both at the peer.
 */
import { resolve } from 'node:path'
import { startWithModels } from '../scripts/model-tests/installation.mjs'
import { publishAgent } from './harness/agent.mjs'
import { commandLine } from './harness/command-line.mjs'
import { connectPeer } from './harness/conversation-peer.mjs'
import { giveUp, needBuild } from './harness/installed.mjs'
import { startModelStandIns } from './harness/model-stand-ins.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed, seededOrder } from './harness/seeded-order.mjs'
import { packetsOf } from './harness/spoken-packets.mjs'
import { median, percentile } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'
import { eventually } from './harness/waiting.mjs'

const options = commandLine(
  'voice to voice with real local models: now, without prepared replies, and with the defaults of before',
  {
    'models-dir': { type: 'string', default: '.parlance/models', help: 'the installed models' },
    voice: { type: 'string', default: 'en_US-joe-medium', help: 'the installed voice that asks and replies' },
    recognizer: { type: 'string', default: 'moonshine-base-en', help: 'the installed recognizer' },
    turns: { type: 'number', default: 10, help: 'of each Agent' },
    seed: { type: 'number', default: newSeed(), help: 'of the order of the Agents' },
  },
)
needBuild('standalone')
const { readModelsFolder } = await import('../libs/models/dist/index.js')

const modelsDir = resolve(options['models-dir'])
const found = await readModelsFolder(modelsDir).catch(() => [])
const installed = found.flatMap(({ reading }) => ('model' in reading ? [reading.model] : []))
for (const name of [options.voice, options.recognizer]) {
  if (installed.every((model) => model.name !== name))
    giveUp(`${name} is not in ${modelsDir}. Run: npx parlance models install ${name} --models-dir ${modelsDir}`)
}
const turnModel = installed.find(({ kind }) => kind === 'turn')?.name

const questions = [
  'Could you please tell me when the shop opens tomorrow morning?',
  'Is there a train to the city in the afternoon?',
  'I would like to know whether the restaurant is open today.',
  'Where can I leave my umbrella?',
  'How much does it cost to send a letter to Canada?',
  'Please change my appointment to the second week of March.',
  'What is the weather like in the mountains?',
  'My internet has been down since yesterday evening.',
  'Can I pay for the tickets with my card?',
  'Do you have a room with a window for two nights?',
]
const reply = 'Of course. It opens at nine in the morning, as on every other day.'
const delays = { firstTokenMs: 150, tokenMs: 1000 / 30 }

const agents = {
  now: {},
  'nothing prepared': { turn_config: { preemptive: false } },
  before: {
    turn_config: { preemptive: false, endpointing_min_ms: 500, interruption_min_ms: 500 },
    audio_config: { noise_suppression: false },
  },
}
const stages = ['endpointing_ms', 'stt_ms', 'llm_ttft_ms', 'tts_ttfa_ms', 'voice_to_voice_ms']
const tickMs = 20

const ask = async ({ url, headers }, voice, text) => {
  const response = await fetch(`${url}/v1/tts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ text, voice_id: voice.id, output: { format: 'pcm_s16le', sample_rate: 48_000 } }),
  })
  if (!response.ok) throw new Error(`The question was not spoken: ${response.status} ${await response.text()}`)
  return packetsOf(new Int16Array(await response.arrayBuffer()))
}

/** Calls each peer once in 20 ms. Returns a function that ends that. */
const tickAll = (peers) => {
  const startedMs = performance.now()
  let ticks = 0
  const timer = setInterval(() => {
    for (const due = (performance.now() - startedMs) / tickMs; ticks < due; ticks++)
      for (const peer of peers) peer.tick()
  }, tickMs / 4)
  return () => clearInterval(timer)
}

const converse = async (platform, voice) => {
  const target = { url: platform.url, authorization: platform.headers.authorization }
  const spoken = []
  for (let turn = 0; turn < options.turns; turn++)
    spoken.push(await ask(platform, voice, questions[turn % questions.length]))
  const peers = []
  for (const [name, config] of Object.entries(agents)) {
    const agentId = await publishAgent(target, {
      slug: `bench-${name.replaceAll(' ', '-')}`,
      voice_id: voice.id,
      voice_config: { tts_variant: options.voice },
      stt_config: { language: 'en-US' },
      llm_provider: 'openai_compatible',
      llm_model: 'stand-in',
      ...config,
    })
    peers.push({ name, peer: await connectPeer({ ...target, agentId, speech: spoken[0], isLed: true }) })
  }
  const stop = tickAll(peers.map(({ peer }) => peer))
  const order = seededOrder(options.seed)
  try {
    for (const [turn, question] of [spoken[0], ...spoken].entries()) {
      // The first is not measured: processes of models start with it.
      if (turn > 0) say(`Question ${turn} of ${spoken.length} ...`)
      for (const { name, peer } of order(peers)) {
        const { figures } = peer
        if (turn === 1) Object.assign(figures, { turns: [], metrics: [], errors: [] })
        await eventually(`the start of ${name}`, () => peer.isResting(), { withinMs: 60_000 })
        const answered = () => figures.turns.length + figures.errors.length
        const before = answered()
        peer.say(question)
        const isOver = () => peer.hasEnded() || (answered() > before && peer.isResting())
        await eventually(`the reply of ${name}`, isOver, { withinMs: 120_000 })
        if (peer.hasEnded()) throw new Error(`The conversation with ${name} has ended: ${figures.errors.join(', ')}`)
      }
    }
  } finally {
    stop()
    for (const { peer } of peers) peer.close()
  }
  return peers.map(({ name, peer: { figures } }) => {
    const turnsMs = figures.turns.map(({ turnMs }) => turnMs)
    if (turnsMs.length === 0) throw new Error(`No question to ${name} was answered: ${figures.errors.join(', ')}`)
    return {
      agent: name,
      turns: turnsMs.length,
      voiceToVoiceMs: { p50: median(turnsMs), p95: percentile(turnsMs, 0.95) },
      stagesMs: Object.fromEntries(
        stages.map((stage) => [stage, median(figures.metrics.map((metrics) => metrics[stage] ?? Number.NaN))]),
      ),
      prepared: figures.metrics.filter(({ speculation }) => speculation === 'hit').length,
      errors: figures.errors,
    }
  })
}

const results = await inTemporaryFolder(async (folder) => {
  const languageModel = await startModelStandIns({ transcript: '', replyTo: () => reply, delays })
  try {
    const platform = await startWithModels({
      folder,
      modelsDir,
      variants: [options.voice],
      recognizers: [`sherpa-onnx/${options.recognizer}`],
      env: { STT_PROVIDER: 'sherpa-onnx', SESSION_UDP_ADDRESS: '127.0.0.1', LLM_COMPATIBLE_URL: languageModel.url },
    })
    try {
      const voice = platform.voices.find(({ variants }) => variants[0].id === options.voice)
      return await converse(platform, voice)
    } finally {
      await platform.stop()
    }
  } finally {
    await languageModel.stop()
  }
})

const medianOf = (name) => results.find(({ agent }) => agent === name).voiceToVoiceMs.p50
const [now, before] = [medianOf('now'), medianOf('before')]
const text = [
  `${options.voice}, ${options.recognizer}, ${turnModel ?? 'no model for the end of turns'}; the language model is a stand-in.`,
  table(
    [
      'Agent',
      'turns',
      'voice to voice ms p50',
      'p95',
      ...stages.slice(0, -1).map((stage) => stage.replace('_ms', '')),
      'prepared',
      'errors',
    ],
    results.map((one) => [
      one.agent,
      one.turns,
      one.voiceToVoiceMs.p50.toFixed(0),
      one.voiceToVoiceMs.p95.toFixed(0),
      ...stages.slice(0, -1).map((stage) => one.stagesMs[stage].toFixed(0)),
      one.prepared,
      one.errors.length,
    ]),
  ),
].join('\n\n')
finish({
  json: options.json,
  assert: options.assert,
  text,
  figures: {
    voice: options.voice,
    recognizer: options.recognizer,
    turnModel: turnModel ?? null,
    seed: options.seed,
    results,
  },
  goals: [goal('voice to voice now, of that before', now / before, ' ×', atMost(0.75))],
})

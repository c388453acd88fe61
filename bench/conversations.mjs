/**
 * Live conversations over WebRTC: the time that Parlance adds between a person's last sound and the reply's first, the silence
 * after an interruption by voice, and what many conversations cost. Recognition, the language model and speech are stand-ins with
 * known times. The sessions service has two processes, since each uses one core. The peers and everything else share the cores.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishAgent } from './harness/agent.mjs'
import { startBackingServers } from './harness/backing-servers.mjs'
import { cpuSeconds } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { giveUp, needBuild } from './harness/installed.mjs'
import { engineOf, startModelStandIns } from './harness/model-stand-ins.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { memoryOf } from './harness/process-memory.mjs'
import { atLeast, atMost, finish, goal, say, table } from './harness/report.mjs'
import { median, percentile, sum } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('live conversations: what a turn adds, interruptions, and what many cost', {
  conversations: {
    type: 'string',
    default: '1,10,60',
    help: 'so many at once, one after the other, with commas between; the first is what the others are compared with',
  },
  seconds: { type: 'number', default: 40, help: 'of each' },
  profile: { type: 'string', default: '', help: 'a folder for a CPU profile of each service' },
})
needBuild(...serviceNames, 'sessions')
if (availableParallelism() < 2) giveUp('This needs two cores.')

const counts = options.conversations.split(',').map(Number)
const sentence = 'Could you please tell me when the shop opens tomorrow morning?'
const reply = 'Of course. It opens at nine in the morning, as on every other day.'
const endpointingMs = 300
const delays = { transcriptionMs: 100, firstTokenMs: 150, tokenMs: 1000 / 30, speechMs: 80 }

/** Parts of a turn as the service measures them. */
const stages = ['endpointing_ms', 'stt_ms', 'llm_ttft_ms', 'tts_ttfa_ms', 'prepared_ms', 'voice_to_voice_ms']

const peersProgram = fileURLToPath(new URL('./harness/conversation-peers.mjs', import.meta.url))

/** Runs peers in a process of their own. Resolves to their figures; calls `onMeasuring` when they have begun. */
const talk = async (asked, onMeasuring) => {
  const child = fork(peersProgram, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  const answer = new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message.problem !== undefined) reject(new Error(message.problem))
      if (message.measuring) onMeasuring()
      if (message.figures !== undefined) resolve(message)
    })
    child.once('exit', (code) => reject(new Error(`the peers ended with ${code}`)))
  })
  child.send(asked)
  try {
    return await answer
  } finally {
    await gone
  }
}

const gauge = async (metricsUrl, name) => {
  const text = await (await fetch(metricsUrl)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Not numbers where there are no values, as of interruptions in a short run. */
const quantiles = (values) => ({ p50: median(values) ?? Number.NaN, p95: percentile(values, 0.95) ?? Number.NaN })
const ms = ({ p50, p95 }) => `${p50.toFixed(0)} / ${p95.toFixed(0)}`

await inTemporaryFolder(async (folder) => {
  const servers = await startBackingServers()
  const models = await startModelStandIns({ transcript: sentence, replyTo: () => reply, delays })
  const enginesFile = join(folder, 'engines.json')
  writeFileSync(enginesFile, JSON.stringify(engineOf(models.url)))
  let product
  try {
    product = await startParlance({
      servers,
      folder,
      services: [...serviceNames, 'sessions'],
      profile: options.profile,
      replicas: { sessions: 2 },
      env: {
        SESSION_LIMIT: '1000',
        SESSION_UDP_ADDRESS: '127.0.0.1',
        TTS_ENGINES_FILE: enginesFile,
        STT_PROVIDER: 'openai',
        STT_OPENAI_URL: models.url,
        LLM_COMPATIBLE_URL: models.url,
      },
    })
    const target = { url: product.url, authorization: product.authorizations[0] }
    const model = { llm_provider: 'openai_compatible', llm_model: 'stand-in' }
    const agentId = await publishAgent(target, { ...model, turn_config: { endpointing_min_ms: endpointingMs } })
    /** What an Agent costs that prepares no replies and suppresses no noise. */
    const plainAgentId = await publishAgent(target, {
      ...model,
      slug: 'bench-plain',
      turn_config: { endpointing_min_ms: endpointingMs, preemptive: false },
      audio_config: { noise_suppression: false },
    })
    const sessions = ['sessions', 'sessions-2']
    const cpuOf = (names) => sum(names.map((name) => cpuSeconds(product.processes[name].pid)))
    const cpuNow = () => ({ sessions: cpuOf(sessions), all: cpuOf(Object.keys(product.processes)) })
    const memoryMb = () => sum(sessions.map((name) => memoryOf(product.processes[name].pid).pssMb))
    const idleMb = memoryMb()

    const measure = async (peers, transcriptionMs, agent = agentId) => {
      say(`${peers} at once, recognition of ${transcriptionMs} ms${agent === agentId ? '' : ', nothing prepared'} ...`)
      Object.assign(delays, { transcriptionMs })
      const { seconds } = options
      let before
      const { figures, ...own } = await talk({ ...target, agentId: agent, peers, seconds, sentence }, () => {
        before = cpuNow()
      })
      const after = cpuNow()
      // A turn that interrupts is not prepared where the recognizer reports no words before its end, as this one does.
      const turns = figures.flatMap((peer) => peer.turns.flatMap((one) => (one.interrupts ? [] : [one.turnMs])))
      const metrics = figures.flatMap((peer) => peer.metrics)
      const errors = figures.flatMap((peer) => peer.errors)
      if (turns.length === 0) throw new Error(`no turn was answered: ${JSON.stringify(errors.slice(0, 5))}`)
      const standInsMs = transcriptionMs + delays.firstTokenMs + delays.speechMs
      const frames = sum(figures.map((peer) => peer.frames))
      const minutes = (peers * seconds) / 60
      return {
        peers,
        transcriptionMs,
        turns: turns.length,
        prepared: metrics.filter(({ speculation }) => speculation === 'hit').length,
        ended: figures.filter((peer) => peer.ended).length,
        errors: [...new Set(errors)],
        turnMs: quantiles(turns),
        stagesMs: Object.fromEntries(
          stages.map((stage) => [stage, median(metrics.map((turn) => turn[stage] ?? Number.NaN))]),
        ),
        addedMs: quantiles(turns.map((turnMs) => turnMs - endpointingMs - standInsMs)),
        silentAfterMs: quantiles(figures.flatMap((peer) => peer.silentAfterMs)),
        cpuSecondsAMinute: {
          sessions: (after.sessions - before.sessions) / minutes,
          all: (after.all - before.all) / minutes,
        },
        peersCpuSecondsAMinute: own.ownCpuSeconds / minutes,
        megabytes: (memoryMb() - idleMb) / peers,
        lateShare: sum(figures.map((peer) => peer.lateFrames)) / frames,
        latestMs: Math.max(...figures.map((peer) => peer.latestMs)),
        delayMs:
          Math.max(
            ...(await Promise.all(
              sessions.map((name) => gauge(product.metrics[name], 'nodejs_eventloop_lag_p99_seconds')),
            )),
          ) * 1000,
        peersDelayMs: own.ownDelayMs,
      }
    }
    const slow = await measure(2, 300)
    const results = []
    for (const peers of counts) results.push(await measure(peers, 100))
    const ten = results.find(({ peers }) => peers === 10)
    const plain = ten && (await measure(10, 100, plainAgentId))

    const text = table(
      [
        'conversations',
        'recognition ms',
        'turns',
        'prepared',
        'turn ms p50/p95',
        'added ms',
        'silent after ms',
        'CPU s/min sessions',
        'all',
        'peers',
        'MB each',
        'late',
        'latest ms',
        'loop p99 ms',
        "peers' loop",
        'errors',
      ],
      [slow, ...results, ...(plain ? [plain] : [])].map((one) => [
        String(one.peers),
        one.transcriptionMs,
        one.turns,
        one.prepared,
        ms(one.turnMs),
        ms(one.addedMs),
        ms(one.silentAfterMs),
        one.cpuSecondsAMinute.sessions.toFixed(2),
        one.cpuSecondsAMinute.all.toFixed(2),
        one.peersCpuSecondsAMinute.toFixed(2),
        one.megabytes.toFixed(1),
        `${(100 * one.lateShare).toFixed(2)} %`,
        one.latestMs.toFixed(0),
        one.delayMs.toFixed(1),
        one.peersDelayMs.toFixed(1),
        [...one.errors, ...(one.ended > 0 ? [`${one.ended} ended`] : [])].join(', ') || '0',
      ]),
    )
    const [first] = results
    const last = results.at(-1)
    finish({
      json: options.json,
      assert: options.assert,
      text,
      figures: { slow, results, plain },
      goals: [
        goal('added, recognition of 100 ms, median', (ten ?? first).addedMs.p50, ' ms', atMost(20)),
        goal('added, recognition of 300 ms, median', slow.addedMs.p50, ' ms', atMost(40)),
        goal('interruption to silence, median', (ten ?? first).silentAfterMs.p50, ' ms', atMost(150)),
        ...(plain === undefined
          ? []
          : [
              goal(
                'CPU per conversation-minute, of ten',
                ten.cpuSecondsAMinute.all / plain.cpuSecondsAMinute.all,
                ' × nothing prepared',
                atMost(1.3),
              ),
            ]),
        goal(`a turn of ${last.peers}, median`, last.turnMs.p50 / first.turnMs.p50, ' × of one', atMost(1.2)),
        goal(`a turn of ${last.peers}, p95`, last.turnMs.p95 / first.turnMs.p95, ' × of one', atMost(1.5)),
        goal(
          `conversations without late frames, of ${last.peers}`,
          last.lateShare <= 0.01 ? last.peers - last.ended : 0,
          '',
          atLeast(last.peers),
        ),
      ],
    })
  } finally {
    await product?.stop()
    await models.stop()
    await servers.stop()
  }
})

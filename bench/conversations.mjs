/**
 * Live conversations over WebRTC: the time that Parlance adds between a person's last sound and the reply's first, the cost of a
 * conversation, and how many of them one core runs before 1 % of the frames are more than 40 ms late. The sessions service has a
 * core to itself; the peers and everything else share the others.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { publishAgent } from './harness/agent.mjs'
import { startBackingServers } from './harness/backing-servers.mjs'
import { cpuSeconds, ownThreadCpuSeconds } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { giveUp, needBuild } from './harness/installed.mjs'
import { startModelStandIns } from './harness/model-stand-ins.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { memoryOf } from './harness/process-memory.mjs'
import { atLeast, atMost, finish, goal, say, table } from './harness/report.mjs'
import { median, percentile, sum } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('live conversations, and how many of them a core holds', {
  conversations: {
    type: 'string',
    default: '1,10,25,50',
    help: 'so many at once, one after the other, with commas between',
  },
  seconds: { type: 'number', default: 20, help: 'of each' },
  profile: { type: 'string', default: '', help: 'a folder for a CPU profile of each service' },
})
needBuild(...serviceNames, 'sessions')
if (availableParallelism() < 2) giveUp('This needs two cores: one for the service, one for its peers.')

const counts = options.conversations.split(',').map(Number)
const [serviceCore, otherCore] = [0, 1]
// Child processes inherit this affinity unless they are started with another.
execFileSync('taskset', ['-a', '-cp', String(otherCore), String(process.pid)])
const sentence = 'Could you please tell me when the shop opens tomorrow morning?'
const reply = 'The shop opens at nine in the morning and closes at six in the evening, as on every other day.'

const peersProgram = fileURLToPath(new URL('./harness/conversation-peers.mjs', import.meta.url))

/** Runs peers in a process on the other core. Resolves to `{ figures, ownDelayMs }`; calls `measured` when they have begun. */
const talk = async (asked, onMeasuring) => {
  const child = spawn('taskset', ['-c', String(otherCore), process.execPath, peersProgram], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
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

const quantiles = (values) => ({ p50: median(values), p95: percentile(values, 0.95) })

const beyond = ({ peerMs, endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms }) =>
  peerMs - sum([endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms].map((ms) => ms ?? 0))
const beyondInside = ({ voice_to_voice_ms, endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms }) =>
  voice_to_voice_ms - sum([endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms].map((ms) => ms ?? 0))

await inTemporaryFolder(async (folder) => {
  const servers = await startBackingServers()
  const models = await startModelStandIns({ transcript: sentence, replyTo: () => reply })
  let product
  try {
    product = await startParlance({
      servers,
      folder,
      services: [...serviceNames, 'sessions'],
      profile: options.profile,
      cores: { sessions: serviceCore, others: otherCore },
      env: {
        SESSION_LIMIT: '1000',
        SESSION_UDP_ADDRESS: '127.0.0.1',
        STT_PROVIDER: 'openai',
        STT_OPENAI_URL: models.url,
        LLM_COMPATIBLE_URL: models.url,
      },
    })
    const target = { url: product.url, authorization: product.authorizations[0] }
    const agentId = await publishAgent(target, { llm_provider: 'openai_compatible', llm_model: 'stand-in' })
    const { pid } = product.processes.sessions
    const idleMb = memoryOf(pid).pssMb

    const measure = async (peers, inputMode, seconds = options.seconds) => {
      say(`${peers} conversations, ${inputMode} ...`)
      let before
      const { figures, ownDelayMs } = await talk({ ...target, agentId, peers, inputMode, seconds, sentence }, () => {
        before = { all: cpuSeconds(pid), own: ownThreadCpuSeconds(pid) }
      })
      const turns = figures.flatMap((peer) => peer.turns)
      const errors = figures.flatMap((peer) => peer.errors)
      if (turns.length === 0) throw new Error(`no turn was answered: ${JSON.stringify(errors.slice(0, 5))}`)
      const frames = sum(figures.map((peer) => peer.frames))
      return {
        peers,
        inputMode,
        turns: turns.length,
        ended: figures.filter((peer) => peer.ended).length,
        errors: [...new Set(errors)],
        frames,
        lateShare: sum(figures.map((peer) => peer.lateFrames)) / frames,
        latestMs: Math.max(...figures.map((peer) => peer.latestMs)),
        beyondMs: quantiles(turns.map(beyond)),
        beyondInsideMs: quantiles(turns.map(beyondInside)),
        silentAfterMs: quantiles(figures.flatMap((peer) => peer.silentAfterMs)),
        cpuShare: (cpuSeconds(pid) - before.all) / seconds / peers,
        ownThreadShare: (ownThreadCpuSeconds(pid) - before.own) / seconds / peers,
        megabytes: (memoryOf(pid).pssMb - idleMb) / peers,
        delayMs: 1000 * (await gauge(product.metrics.sessions, 'nodejs_eventloop_lag_p99_seconds')),
        peersDelayMs: ownDelayMs,
      }
    }
    // With push-to-talk the end of a turn is exact, so the figures do not include endpointing.
    const turns = await measure(2, 'push-to-talk', Math.max(40, options.seconds))
    const results = []
    for (const peers of counts) results.push(await measure(peers, 'automatic'))

    const text = [
      `added to a turn from the button to the first sound: median ${turns.beyondMs.p50.toFixed(0)} ms, p95 ${turns.beyondMs.p95.toFixed(0)} ms (${turns.turns} turns)`,
      `silent after an interruption: median ${turns.silentAfterMs.p50.toFixed(0)} ms, p95 ${turns.silentAfterMs.p95.toFixed(0)} ms`,
      '',
      table(
        [
          'conversations',
          'turns',
          'CPU each',
          'of the loop',
          'MB each',
          'late',
          'latest ms',
          'loop p99 ms',
          "peers' loop",
          'errors',
        ],
        results.map((one) => [
          String(one.peers),
          one.turns,
          `${(100 * one.cpuShare).toFixed(2)} %`,
          `${(100 * one.ownThreadShare).toFixed(2)} %`,
          one.megabytes.toFixed(1),
          `${(100 * one.lateShare).toFixed(2)} %`,
          one.latestMs.toFixed(0),
          one.delayMs.toFixed(1),
          one.peersDelayMs.toFixed(1),
          [...one.errors, ...(one.ended > 0 ? [`${one.ended} ended`] : [])].join(', ') || '0',
        ]),
      ),
    ].join('\n')
    const held = results.filter(({ lateShare, ended }) => lateShare <= 0.01 && ended === 0).map(({ peers }) => peers)
    finish({
      json: options.json,
      assert: options.assert,
      text,
      figures: { turns, results },
      goals: [
        goal('added from voice to voice, median', turns.beyondMs.p50, ' ms', atMost(40)),
        goal('silent at the peer after an interruption, median', turns.silentAfterMs.p50, ' ms', atMost(150)),
        goal('conversations on a core, of those tried', Math.max(0, ...held), '', atLeast(50)),
      ],
    })
  } finally {
    await product?.stop()
    await models.stop()
    await servers.stop()
  }
})

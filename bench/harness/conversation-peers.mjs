/** Many peers in a process of their own. It answers `{ url, authorization, agentId, peers, seconds }` with their figures. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { connectPeer, noFigures } from './conversation-peer.mjs'
import { spokenPackets } from './spoken-packets.mjs'

const tickMs = 20
const connectedAtOnce = 8
const lookEveryMs = 5
/** A turn takes some ten seconds: people do not all begin theirs at once. */
const turnTicks = 400

const hold = async ({ peers: count, seconds, sentence, ...target }) => {
  const speech = await spokenPackets(sentence)
  const peers = []
  const startedMs = performance.now()
  let ticks = 0
  /** Peers are spread over the 20 ms, as those of many people are. */
  const slots = 4
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) * slots) / tickMs)
    for (; ticks < due; ticks++) {
      for (let index = ticks % slots; index < peers.length; index += slots) peers[index].tick()
    }
  }, tickMs / slots)

  while (peers.length < count) {
    const more = Math.min(connectedAtOnce, count - peers.length)
    peers.push(
      ...(await Promise.all(
        Array.from({ length: more }, (_, index) =>
          connectPeer({ ...target, speech, firstPauseTicks: Math.round(((peers.length + index) * turnTicks) / count) }),
        ),
      )),
    )
    process.send({ connected: peers.length })
  }
  await delay(count > 2 ? turnTicks * tickMs : 2_000)
  const own = monitorEventLoopDelay({ resolution: lookEveryMs })
  own.enable()
  for (const { figures } of peers) Object.assign(figures, noFigures())
  process.send({ measuring: true })
  const cpuBefore = process.cpuUsage()
  await delay(seconds * 1000)
  own.disable()
  const { user, system } = process.cpuUsage(cpuBefore)
  const figures = peers.map((peer) => ({ ...peer.figures, ended: peer.hasEnded() }))
  // The histogram records the time between two samples.
  process.send({ figures, ownDelayMs: own.percentile(99) / 1e6 - lookEveryMs, ownCpuSeconds: (user + system) / 1e6 })
  clearInterval(timer)
  for (const peer of peers) peer.close()
}

process.once('message', (asked) => {
  hold(asked)
    .catch((error) => process.send({ problem: error.message }))
    .then(() => delay(1_000))
    .then(() => process.exit())
})

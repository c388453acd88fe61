/** What the transport of a conversation costs: CPU and memory of one that is silent, listened to, and spoken with. */
import { setTimeout as delay } from 'node:timers/promises'
import { cpuSeconds } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { memoryOf } from './harness/process-memory.mjs'
import { atMost, finish, goal, table } from './harness/report.mjs'
import { createWebRtcPeer } from './harness/webrtc-peer.mjs'
import { startWebRtcServer } from './harness/webrtc-server-process.mjs'

const options = commandLine('session-transport', 'what the WebRTC of a conversation costs', {
  sessions: { type: 'number', default: 50, help: 'at once, at least 2' },
  seconds: { type: 'number', default: 8, help: 'of each way' },
})
const { sessions, seconds } = options
const frameMs = 20

const server = await startWebRtcServer()
const peers = []
const connect = async () => {
  const peer = createWebRtcPeer()
  peers.push(peer)
  peer.answer((await server.accept(peer.offer)).answer)
  await peer.open
}
// With the first one come code and buffers that all share.
await connect()
await server.look()
const withoutMb = memoryOf(server.pid).rssMb
while (peers.length < sessions) await connect()

/** Peers send 20 ms of audio every 20 ms, each at a time of its own, or nothing but a `ping` now and then. */
const talkFor = async (ms, speaking) => {
  const startedMs = performance.now()
  const sent = peers.map(() => 0)
  for (let nowMs = 0; nowMs < ms; nowMs = performance.now() - startedMs) {
    for (const [index, peer] of peers.entries()) {
      const due = Math.floor((nowMs + (index * frameMs) / peers.length) / frameMs)
      for (; sent[index] < due; sent[index]++) {
        if (speaking) peer.speak()
        else if (sent[index] % 250 === 0) peer.ping()
      }
    }
    await delay(2)
  }
}

const measure = async (name, { peersSpeak, weSpeak }) => {
  await server.speak(weSpeak)
  await talkFor(1000, peersSpeak)
  const before = await server.look()
  const heardBefore = peers.map((peer) => peer.packetsHeard())
  const cpuBefore = cpuSeconds(server.pid)
  const startedMs = performance.now()
  await talkFor(seconds * 1000, peersSpeak)
  const tookSeconds = (performance.now() - startedMs) / 1000
  const cpu = cpuSeconds(server.pid) - cpuBefore
  const after = await server.look()
  return {
    name,
    cpuPercent: (100 * cpu) / tookSeconds / sessions,
    framesHeard: (after.framesHeard - before.framesHeard) / tookSeconds / sessions,
    packetsAtPeer:
      peers.reduce((sum, peer, at) => sum + peer.packetsHeard() - heardBefore[at], 0) / tookSeconds / sessions,
    delayP99Ms: after.delayP99Ms,
    delayMaxMs: after.delayMaxMs,
  }
}

const ways = [
  await measure('silent both ways', { peersSpeak: false, weSpeak: false }),
  await measure('the peer speaks', { peersSpeak: true, weSpeak: false }),
  await measure('both speak', { peersSpeak: true, weSpeak: true }),
]
await server.look()
const memoryMb = (memoryOf(server.pid).rssMb - withoutMb) / (sessions - 1)
for (const peer of peers) peer.close()
server.stop()

const text = table(
  [
    `${sessions} conversations`,
    'CPU % of a core, each',
    'frames/s heard',
    'packets/s at the peer',
    'loop p99 ms',
    'max ms',
  ],
  ways.map((way) => [
    way.name,
    way.cpuPercent.toFixed(2),
    way.framesHeard.toFixed(1),
    way.packetsAtPeer.toFixed(1),
    way.delayP99Ms.toFixed(1),
    way.delayMaxMs.toFixed(1),
  ]),
)
const { json, assert } = options
finish({
  json,
  assert,
  text: `${text}\n\n${memoryMb.toFixed(2)} MB for each`,
  figures: { sessions, seconds, ways, memoryMb },
  goals: [
    goal('a conversation in which both speak', ways[2].cpuPercent, ' %', atMost(2)),
    goal('memory of a conversation', memoryMb, ' MB', atMost(1.5)),
  ],
})

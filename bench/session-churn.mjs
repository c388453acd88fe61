/** Whether conversations leave anything behind: memory, sockets, threads and peers after many connects and hang-ups. */
import { readdirSync } from 'node:fs'
import { commandLine } from './harness/command-line.mjs'
import { memoryOf } from './harness/process-memory.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { eventually } from './harness/waiting.mjs'
import { createWebRtcPeer } from './harness/webrtc-peer.mjs'
import { startWebRtcServer } from './harness/webrtc-server-process.mjs'

const options = commandLine('session-churn', 'what WebRTC peers leave behind that connect and hang up', {
  sessions: { type: 'number', default: 1_000, help: 'that connect and hang up' },
  'at-once': { type: 'number', default: 10, help: 'at the same time' },
})
const { sessions, 'at-once': atOnce } = options

const server = await startWebRtcServer()

/** Every third hangs up, on every third we do, and of the others nothing more is heard once they have offered. */
const converse = async (index) => {
  const peer = createWebRtcPeer()
  const { id, answer } = await server.accept(peer.offer)
  if (index % 3 < 2) {
    peer.answer(answer)
    await peer.open
    for (let each = 0; each < 5; each++) peer.speak()
    peer.ping()
  }
  if (index % 3 === 0) {
    peer.close()
    return
  }
  const hungUp = server.hangUp(id)
  if (index % 3 === 1) await peer.channelClosed
  peer.close()
  await hungUp
}

const stand = async () => {
  const state = await eventually('an end of all conversations', async () => {
    const now = await server.look()
    return now.peers === 0 && now
  })
  return {
    ...state,
    residentMb: memoryOf(server.pid).rssMb,
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    threads: readdirSync(`/proc/${server.pid}/task`).length,
  }
}

const tenths = []
const startedMs = performance.now()
for (let done = 0; done < sessions; done += atOnce) {
  await Promise.all(Array.from({ length: atOnce }, (_, index) => converse(done + index)))
  if (tenths.length < Math.floor((10 * (done + atOnce)) / sessions)) {
    tenths.push(await stand())
    say(`${done + atOnce} conversations, ${tenths.at(-1).residentMb.toFixed(1)} MB`)
  }
}
const seconds = (performance.now() - startedMs) / 1000
server.stop()

const [first, last] = [tenths[0], tenths.at(-1)]
const row = (name, of, digits = 0) => [name, of(first).toFixed(digits), of(last).toFixed(digits)]
const text = table(
  ['', `after ${sessions / 10}`, `after ${sessions}`],
  [
    row('resident MB', ({ residentMb }) => residentMb, 1),
    row('descriptors', ({ descriptors }) => descriptors),
    row('threads', ({ threads }) => threads),
    row('peers', ({ peers }) => peers),
  ],
)
const { json, assert } = options
finish({
  json,
  assert,
  text: `${text}\n\n${(sessions / seconds).toFixed(0)} conversations in a second`,
  figures: { sessions, seconds, tenths },
  goals: [
    goal('memory', last.residentMb - first.residentMb, ' MB', atMost(10)),
    goal('descriptors', last.descriptors - first.descriptors, '', atMost(0)),
    goal('threads', last.threads - first.threads, '', atMost(0)),
  ],
})

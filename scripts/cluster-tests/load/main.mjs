// Runs in a pod of the cluster: speech over HTTP and over streams, and conversations over WebSockets and WebRTC, until the file
// /tmp/stop is there. Prints the counts and each failure as JSON. Requests are not repeated: a client without retries must
// notice no restart.
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { callJson, newAuthorization } from './api.mjs'
import { createConversationWork, newAgent } from './conversation.mjs'
import { createRequestWork, createStreamWork } from './speech.mjs'
import { overWebRtc, overWebSocket } from './transports.mjs'

const authorization = await newAuthorization()
const [voice] = (await callJson(authorization, 'GET', '/v1/voices?language=en')).voices
const agentId = await newAgent(authorization, voice)

const count = { requests: 0, streams: 0, conversations: 0 }
const failures = []
const repeat = async (kind, work, pauseMs) => {
  while (!existsSync('/tmp/stop')) {
    const begun = new Date().toISOString()
    try {
      await work()
      count[kind] += 1
    } catch (error) {
      const what = `${error.message} ${error.cause?.message ?? ''}`.trim()
      const failure = `${kind} from ${begun} to ${new Date().toISOString()}: ${what}`
      failures.push(failure)
      console.error(failure)
    }
    await delay(pauseMs)
  }
}
const request = createRequestWork(authorization, voice)
console.error('ready')
await Promise.all([
  repeat('requests', request, 100),
  repeat('requests', request, 100),
  repeat('streams', createStreamWork(authorization, voice), 0),
  repeat('streams', createStreamWork(authorization, voice), 0),
  repeat('conversations', createConversationWork(authorization, agentId, overWebSocket), 0),
  repeat('conversations', createConversationWork(authorization, agentId, overWebRtc), 0),
])
console.log(JSON.stringify({ ...count, failures }))
process.exit(0)

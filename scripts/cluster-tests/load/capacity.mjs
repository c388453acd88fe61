// Runs in a pod of the cluster: as much long speech at once as to use the capacity of all speech workers, until the file
// /tmp/stop is there. A workspace gets a part of a worker, so there are several. What is refused for lack of capacity is asked
// for again. Prints how many requests were answered.
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { call, callJson, newAuthorization } from './api.mjs'

const workspaces = 4
const atOnce = 4
const text = 'One two three four five six seven eight nine ten. '.repeat(60)

const authorizations = []
for (let made = 0; made < workspaces; made += 1) authorizations.push(await newAuthorization())
const [voice] = (await callJson(authorizations[0], 'GET', '/v1/voices?language=en')).voices

let answered = 0
const speak = async (authorization) => {
  for (let asked = 0; !existsSync('/tmp/stop'); asked += 1) {
    // A different text each time, because spoken texts are cached.
    const body = { text: `${asked} ${Math.random()} ${text}`, voice_id: voice.id, output: { format: 'wav' } }
    const spoken = await call(authorization, 'POST', '/v1/tts', body).catch(() => undefined)
    if (spoken === undefined) await delay(200)
    else answered += 1
  }
}
console.error('ready')
await Promise.all(authorizations.flatMap((authorization) => Array.from({ length: atOnce }, () => speak(authorization))))
console.log(JSON.stringify({ answered }))
process.exit(0)

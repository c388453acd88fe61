/**
 * A workspace that wants all it can get, as a process of its own: `NATS_URL`, texts at once and format as arguments. It
 * starts on its standard input's first line and gives up everything on the second, saying so on its standard output.
 */
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { connectNatsBus, createClient } from '@parlance/bus'
import { ttsContract } from '@parlance/contracts'
import { createSynthesize } from '@parlance/speech-client'

const [url, textsAtOnce, format, voice] = process.argv.slice(2)
const bus = await connectNatsBus({ url, name: 'greedy' })
const synthesize = createSynthesize(createClient(bus, ttsContract))

const text = 'This is one more sentence of a text that has no end, and whoever has to listen to it is to be pitied. '
const output = { format, sample_rate: 24_000, bit_rate: format === 'mp3' ? 64_000 : null }
const request = {
  workspace_id: randomUUID(),
  text: text.repeat(48),
  cuts: null,
  private: false,
  voice,
  variant: null,
  language: null,
  output,
  speed: 1,
  volume: 1,
  alignment: [],
}
let audioMs = 0
let refusals = 0

const wantMore = async (signal) => {
  while (!signal.aborted) {
    try {
      const speech = synthesize(request, { lane: 'espeak-ng', deadlineMs: 10_000 })
      await speech((chunk) => {
        if (chunk.event === 'audio') audioMs += chunk.duration_ms
      }, signal)
    } catch {
      refusals += 1
      // As long as the answer over HTTP says to wait.
      await delay(1000, undefined, { signal }).catch(() => {})
    }
  }
}

let controller
let wanting = []
console.log('ready')
for await (const _ of createInterface({ input: process.stdin })) {
  if (controller === undefined) {
    controller = new AbortController()
    setMaxListeners(0, controller.signal)
    wanting = Array.from({ length: Number(textsAtOnce) }, () => wantMore(controller.signal))
  } else {
    controller.abort()
    await Promise.all(wanting)
    controller = undefined
    console.log(JSON.stringify({ audioMs, refusals }))
    audioMs = 0
    refusals = 0
  }
}
await bus.close()

/**
 * What the engine process costs over eSpeak NG itself: `npm run build && node bench/engine.mjs`.
 *
 * Both sides speak the same sentences in the same voices, in turns, in one run: eSpeak called in this process, and
 * through the pool, its pipes and its child process as the service uses it.
 */
import { readFileSync } from 'node:fs'
import { openSpeaker } from '../engines/espeak-ng/dist/index.js'
import { createLogger } from '../libs/telemetry/dist/index.js'
import { openEspeakEngines } from '../services/tts/dist/engine/espeak-engine.js'

const rounds = 200
const sentences = [
  'Good morning, this is the front desk, what can I do for you?',
  'Your table for four is booked at half past seven on the 24th of May.',
  'One moment please. I am looking for the order that you placed last week.',
]

let pid = 0
const noteReady = (line) => {
  const { msg, pid: ready } = JSON.parse(line)
  if (msg === 'An engine process is ready') pid = ready
}
const engine = await openEspeakEngines({
  processes: 1,
  logger: createLogger({ name: 'bench', destination: { write: noteReady } }),
})
const speaker = await openSpeaker()
const { signal } = new AbortController()

/** CPU seconds of a process so far; the clock ticks a hundred times a second on every Linux. */
const cpuSeconds = (id) => {
  const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const residentMb = (id) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) / 1024

const inProcess = async (utterance) => {
  const asked = performance.now()
  let firstMs
  let samples = 0
  speaker.speak(utterance, (block) => {
    firstMs ??= performance.now() - asked
    samples += block.length
    return true
  })
  return { firstMs, samples }
}

const throughPool = async (utterance) => {
  const asked = performance.now()
  let firstMs
  let samples = 0
  for await (const event of engine.speak(utterance, { signal })) {
    if (event.kind !== 'audio') continue
    firstMs ??= performance.now() - asked
    samples += event.pcm.length
  }
  return { firstMs, samples }
}

const utteranceOf = (turn) => ({
  text: sentences[turn % sentences.length],
  voiceId: engine.voices[turn % 4].id,
  variant: 'standard',
  language: null,
  speed: 1,
  volume: 1,
})

for (let turn = 0; turn < 40; turn++) {
  await inProcess(utteranceOf(turn))
  await throughPool(utteranceOf(turn))
}

const sides = [
  { name: 'eSpeak NG in this process', speak: inProcess, cpu: () => cpuSeconds(process.pid) },
  { name: 'pool and child process', speak: throughPool, cpu: () => cpuSeconds(process.pid) + cpuSeconds(pid) },
].map((side) => ({ ...side, firstMs: [], samples: 0, cpuSeconds: 0 }))

for (let turn = 0; turn < rounds; turn += 20) {
  for (const side of sides) {
    const before = side.cpu()
    for (let step = 0; step < 20; step++) {
      const { firstMs, samples } = await side.speak(utteranceOf(turn + step))
      side.firstMs.push(firstMs)
      side.samples += samples
    }
    side.cpuSeconds += side.cpu() - before
  }
}

const at = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]
console.table(
  Object.fromEntries(
    sides.map(({ name, firstMs, samples, cpuSeconds }) => [
      name,
      {
        'first audio, median (ms)': Number(at(firstMs, 0.5).toFixed(2)),
        'p95 (ms)': Number(at(firstMs, 0.95).toFixed(2)),
        'audio-s per CPU-s': Math.round(samples / engine.sampleRateHz / cpuSeconds),
      },
    ]),
  ),
)
console.log(`${rounds} utterances a side; the engine process holds ${residentMb(pid).toFixed(0)} MB.`)
await engine.close()

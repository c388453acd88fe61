/**
 * Loads a model, lets it judge the longest turn that it accepts, and writes a report: one line of JSON on standard output. Its
 * argument is the model's file. The native library may end the process instead.
 */
import { performance } from 'node:perf_hooks'
import { openTurnDetector } from './turn-detector.js'
import type { TurnTrial } from './turn-trial.js'

const [file = ''] = process.argv.slice(2)

const run = async (): Promise<TurnTrial> => {
  const startedMs = performance.now()
  const { hello, detect } = await openTurnDetector(file)
  const openedMs = performance.now()
  // Noise that is the same each time.
  const samples = (hello.maxAudioMs * hello.sampleRateHz) / 1000
  await detect(Int16Array.from({ length: samples }, (_, index) => 3000 * Math.sin(index * index)))
  return {
    loadMs: Math.round(openedMs - startedMs),
    detectMs: Math.round(performance.now() - openedMs),
    audioMs: hello.maxAudioMs,
    memoryMegabytes: Math.round(process.memoryUsage.rss() / 1e6),
  }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const report = await run().catch((error: Error) => ({ problems: [sentence(error.message)] }))
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))

import { availableParallelism } from 'node:os'
import { cpuSeconds } from './child-process.mjs'
import { startEngine } from './engine-process.mjs'
import { longerSentences } from './sample-sentences.mjs'
import { sum } from './statistics.mjs'

const warmUpSeconds = 10
const measuredSeconds = 3

/**
 * Bare engines that speak the same texts: one on each core, because two threads that share a core are slower than
 * either alone, and the installation keeps all cores busy too. `measure` resolves to the audio that they make in a second of CPU.
 */
export const startBareEngines = async (implementation) => {
  const engines = await Promise.all(Array.from({ length: availableParallelism() }, () => startEngine(implementation)))
  const speakFor = async (engine, seconds) => {
    const voiceId = engine.hello.voices[0].id
    const endsAtMs = performance.now() + seconds * 1000
    let audioMs = 0
    while (performance.now() < endsAtMs)
      for (const text of longerSentences) audioMs += await engine.spokenMs({ text, voiceId })
    return audioMs / 1000
  }
  const used = () => sum(engines.map(({ pid }) => cpuSeconds(pid)))
  await Promise.all(engines.map((engine) => speakFor(engine, warmUpSeconds)))
  return {
    async measure() {
      const before = used()
      const audioSeconds = sum(await Promise.all(engines.map((engine) => speakFor(engine, measuredSeconds))))
      return audioSeconds / (used() - before)
    },
    stop() {
      for (const engine of engines) engine.stop()
    },
  }
}

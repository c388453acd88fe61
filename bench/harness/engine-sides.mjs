import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { openNativeEspeak } from '../../engines/espeak-ng/dist/native-espeak.js'
import { voices } from '../../engines/espeak-ng/dist/voices.js'
import { openWasmEspeak } from '../../engines/espeak-ng/dist/wasm-espeak.js'
import { createLogger } from '../../libs/telemetry/dist/index.js'

/**
 * Ways to speak, each `{ name, speak(utterance) → { firstMs, audioMs }, cpu() → { own, child }, close() }`: seconds of CPU
 * so far of this process and of the engine's, if it has one.
 */

/** The clock ticks a hundred times a second on every Linux. */
export const cpuSecondsOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const ownCpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** eSpeak NG in this process: only the library; its reports are ignored. */
const bareSide = (name, espeak) => ({
  name,
  speak: ({ text, voiceId }) => {
    const { espeakLanguages, languages, timbre, wordsPerMinute, pitch, range, loudness } = voices.find(
      ({ id }) => id === voiceId,
    )
    const style = {
      voice: `${espeakLanguages[languages[0]]}+${timbre}`,
      wordsPerMinute,
      pitch,
      range,
      volume: loudness,
    }
    const asked = performance.now()
    let firstMs
    let samples = 0
    espeak.synthesize(text, style, {
      onWord() {},
      onSound() {},
      onAudio(block) {
        firstMs ??= performance.now() - asked
        samples += block.length
        return true
      },
    })
    return { firstMs, audioMs: (samples * 1000) / espeak.sampleRateHz }
  },
  cpu: () => ({ own: ownCpuSeconds(), child: 0 }),
  close() {},
})

export const openBareNative = async () => bareSide('libespeak-ng, bare', await openNativeEspeak())
export const openBareWasm = async () => bareSide('WebAssembly, bare', await openWasmEspeak())

/** An engine of one process, used as the service uses it. `open(context)` is one of the service's `open…Engines`. */
export const openEngineSide = async (name, open) => {
  let pid = 0
  const noteReady = (line) => {
    const { msg, pid: ready } = JSON.parse(line)
    if (msg === 'An engine process is ready') pid = ready
  }
  const logger = createLogger({ name: 'bench', destination: { write: noteReady } })
  const [engine] = await open({ logger, readSecret: () => '', onReplace() {} })
  const { signal } = new AbortController()
  return {
    name,
    engine,
    pid: () => pid,
    speak: async (utterance) => {
      const asked = performance.now()
      let firstMs
      let samples = 0
      for await (const event of engine.speak(utterance, { signal })) {
        if (event.kind !== 'audio') continue
        firstMs ??= performance.now() - asked
        samples += event.pcm.length
      }
      return { firstMs, audioMs: (samples * 1000) / engine.sampleRateHz }
    },
    /** ms from an abort within a text until the process is free for the next. */
    cancelMs: (utterance, afterAudioMs) =>
      new Promise((resolve, reject) => {
        const leaving = new AbortController()
        let aborted
        const onEnd = () => resolve(performance.now() - aborted)
        const listen = async () => {
          let samples = 0
          for await (const event of engine.speak(utterance, { signal: leaving.signal, onEnd })) {
            if (event.kind === 'audio') samples += event.pcm.length
            if (aborted !== undefined || (samples * 1000) / engine.sampleRateHz < afterAudioMs) continue
            aborted = performance.now()
            leaving.abort()
          }
          reject(new Error('the speech was over before it was aborted'))
        }
        listen().catch((error) => aborted ?? reject(error))
      }),
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024,
    cpu: () => ({ own: ownCpuSeconds(), child: cpuSecondsOf(pid) }),
    /** Resolves when the process is idle. */
    warm: async () => {
      for (let before = -1, now = cpuSecondsOf(pid); now - before > 0.02; now = cpuSecondsOf(pid)) {
        before = now
        await delay(500)
      }
    },
    close: () => engine.close(),
  }
}

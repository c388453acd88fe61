import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createFrameDecoder, encodeJsonFrame, jsonOf, samplesOf } from '@parlance/engine/protocol'

/** The engine by itself, over its pipe: no other part of Parlance runs. */
export const startEngine = (implementation = 'auto') =>
  startEngineProcess('espeak-ng', '--implementation', implementation)

/** `name` is that of the package, without `engine-`. */
export const startEngineProcess = async (name, ...args) => {
  const program = fileURLToPath(import.meta.resolve(`@parlance/engine-${name}/main`))
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const decode = createFrameDecoder()
  const listeners = new Map()
  child.stdout.on('data', (chunk) => {
    for (const frame of decode(chunk)) listeners.get(frame.job)?.(frame)
  })
  const hello = await new Promise((resolve, reject) => {
    listeners.set(0, (frame) => resolve(jsonOf(frame)))
    child.once('exit', (code) => reject(new Error(`the engine ended with ${code} before it was ready`)))
  })
  let job = 0

  /** `{ firstMs, audioMs }` of a job, when it is over, so that the next one finds the engine idle. */
  const run = ({ text, voiceId, variant = 'standard' }, onAudio) =>
    new Promise((resolve, reject) => {
      job += 1
      const current = job
      const startedMs = performance.now()
      let firstMs
      let bytes = 0
      listeners.set(current, (frame) => {
        const { kind, payload } = frame
        if (kind === 'audio') {
          firstMs ??= performance.now() - startedMs
          bytes += payload.length
          onAudio?.(samplesOf(frame))
        }
        if (kind !== 'end' && kind !== 'error') return
        listeners.delete(current)
        if (kind === 'end') resolve({ firstMs, audioMs: (bytes * 1000) / 2 / hello.sampleRateHz })
        else reject(new Error(`the engine refused: ${Buffer.from(payload)}`))
      })
      const command = { text, voiceId, variant, language: null, speed: 1, volume: 1 }
      child.stdin.write(encodeJsonFrame('speak', current, command))
    })

  return {
    hello,
    pid: child.pid,
    /** ms to the first audio. */
    speak: async (utterance) => (await run(utterance)).firstMs,
    /** ms of audio. `onAudio` is given its samples as they come. */
    spokenMs: async (utterance, onAudio) => (await run(utterance, onAudio)).audioMs,
    stop: () => void child.kill('SIGKILL'),
  }
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./stream-listeners.mjs', import.meta.url))

/** Listeners in a process of their own. `ask(command, options)` resolves to the answer of `stream-listeners.mjs`. */
export const startListeners = () => {
  const child = fork(program)
  const waiting = new Map()
  let count = 0
  let stopping = false
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  child.on('message', ({ id, answer }) => {
    waiting.get(id).resolve(answer)
    waiting.delete(id)
  })
  child.once('exit', (code) => {
    process.removeListener('exit', onExit)
    if (!stopping) for (const { reject } of waiting.values()) reject(new Error(`the listeners ended with ${code}`))
  })
  return {
    ask: (command, options = {}) =>
      new Promise((resolve, reject) => {
        count += 1
        waiting.set(count, { resolve, reject })
        child.send({ id: count, command, ...options })
      }),
    async stop() {
      stopping = true
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

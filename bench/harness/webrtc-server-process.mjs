import { fork } from 'node:child_process'
import { join } from 'node:path'
import { root } from './installed.mjs'

/** `webrtc-server.mjs` as a child: `{ pid, accept(offer), hangUp(id), speak(yes), look(), stop() }`. */
export const startWebRtcServer = async () => {
  const child = fork(join(root, 'bench/harness/webrtc-server.mjs'), { execArgv: ['--expose-gc'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const answers = new Map()
  let count = 0
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server ended at once')))
    child.on('message', ({ id, ready, ...answer }) => {
      if (ready) resolve()
      answers.get(id)?.(answer)
      answers.delete(id)
    })
  })
  const ask = (message) => {
    const id = ++count
    return new Promise((resolve) => {
      answers.set(id, (answer) => resolve({ id, ...answer }))
      child.send({ id, ...message })
    })
  }
  return {
    pid: child.pid,
    /** `{ id, answer }` */
    accept: (offer) => ask({ offer }),
    hangUp: (id) => ask({ hangUp: id }),
    speak: (speaks) => ask({ speaks }),
    look: () => ask({ look: true }),
    stop: () => child.disconnect(),
  }
}

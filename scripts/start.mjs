// `npm start`: installs and builds when something has changed, then serves in this very process, so that signals and
// exit codes need no passing on.
import { refuseOldNode } from './node-version.mjs'

/** When npm ends, it ends the shell in between without a signal to this process. A new parent process shows that. */
const endWithParent = () => {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}

refuseOldNode()
if (process.env.npm_lifecycle_event !== undefined) endWithParent()
// Imported only now: an old Node could not even read it.
import('./ensure-ready.mjs')
  .then(({ ensureReady }) => ensureReady())
  .then((isReady) => (isReady ? import('../services/standalone/dist/main.js') : process.exit(1)))

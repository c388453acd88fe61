// `npm start`: installs and builds when something has changed, then serves in this very process, so that signals and
// exit codes need no passing on.
import { refuseOldNode } from './node-version.mjs'

refuseOldNode()
// Imported only now: an old Node could not even read it.
import('./ensure-ready.mjs')
  .then(({ ensureReady }) => ensureReady())
  .then((isReady) => (isReady ? import('../services/standalone/dist/main.js') : process.exit(1)))

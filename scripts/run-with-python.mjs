import { runChild } from './child.mjs'
import { ensureReady } from './ensure-ready.mjs'

/** Calls `run` once Parlance is built, and exits with 1 when it rejects. Says that it is skipped on a machine without Python. */
export const runWithPython = async (run) => {
  if ((await runChild('python3', ['-c', 'import venv, ensurepip'])).code !== 0) {
    console.log('Skipped: there is no python3 with venv here.')
  } else if (await ensureReady()) {
    await run().catch((error) => {
      console.error(error.message)
      process.exitCode = 1
    })
  } else {
    process.exitCode = 1
  }
}

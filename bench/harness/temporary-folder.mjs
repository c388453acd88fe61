import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `work` with a new folder for logs and data, which is removed at the end, also when that is Ctrl-C. */
export const inTemporaryFolder = async (work) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-bench-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  try {
    return await work(folder)
  } finally {
    process.removeListener('exit', remove)
    remove()
  }
}

// A `npm start` on an empty folder, as a person runs it who has just cloned the repository.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startStandalone } from '@parlance/testing'

const program = fileURLToPath(new URL('../start.mjs', import.meta.url))

/** `env` is added to its environment. Resolves when everything runs. Rejects when it ends before. */
export const startEmpty = async (folder, env = {}) => {
  const environment = { HOME: folder, PARLANCE_DATA: join(folder, 'data'), ...env }
  const { serving, stop } = startStandalone(folder, await freePort(), environment, program)
  const { printed, ...installation } = await serving
  return { ...installation, ownerLink: /^ {2}Owner {2}(\S+)/m.exec(printed)?.[1], stop }
}

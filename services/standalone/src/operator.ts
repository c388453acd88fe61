import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import type { Server } from 'node:net'
import type { Service } from '@parlance/runtime'
import { isOperatorSocketAnswered, operatorSocketPath } from '@parlance/runtime/installation'
import { z } from 'zod'
import type { OpenModelInstaller } from './models/model-installer.js'
import { createOperatorServer } from './operator-server.js'

/** Only this user may open the socket, from the moment it exists: a client that connects may do everything. */
const listen = async (server: Server, path: string): Promise<void> => {
  const listening = once(server, 'listening')
  const before = process.umask(0o177)
  // The file is created before this returns.
  server.listen(path)
  process.umask(before)
  await listening
}

/** The installer reads these variables. They are checked here, so that the process does not start with wrong ones. */
const env = z.object({
  /** The folder of the installed models, a folder each. */
  MODELS_DIR: z.string().min(1).optional(),
  /** A URL under which the files of models are instead, each by the last segment of its own URL. */
  PARLANCE_MODELS_MIRROR: z.url({ protocol: /^https?$/ }).optional(),
})

/** Serves `npx parlance` in the same folder. If it cannot, it logs why, and the services run nevertheless. */
export const createOperator = (
  dataFolder: string,
  openInstaller: OpenModelInstaller,
): Service<z.output<typeof env>> => ({
  name: 'operator',
  needs: [],
  env,
  async start(platform) {
    const installer = openInstaller(platform.logger)
    const nothing = { ready: () => true, stop: async () => installer.stop() }
    const withoutSocket = (reason: string, err?: unknown) => {
      platform.logger.warn({ folder: dataFolder, err }, reason)
      return nothing
    }
    const path = operatorSocketPath(dataFolder)
    if (path === undefined) return withoutSocket('The path of the data folder is too deep for npx parlance to connect')
    const server = createOperatorServer(platform, installer)
    try {
      if (await isOperatorSocketAnswered(path)) {
        return withoutSocket('Another process serves npx parlance for this data folder')
      }
      await mkdir(dataFolder, { recursive: true })
      await rm(path, { force: true })
      await listen(server, path)
    } catch (err) {
      return withoutSocket('npx parlance cannot connect to this process', err)
    }
    return {
      ready: () => true,
      async stop() {
        const closed = once(server, 'close')
        installer.stop()
        // Removes the file too.
        server.close()
        await closed
      },
    }
  },
})

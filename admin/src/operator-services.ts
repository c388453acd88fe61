import { type Environment, StartupError, startServices } from '@parlance/runtime'
import { openStandaloneEnvironment } from '@parlance/runtime/installation'
import { auth } from '@parlance/service-auth'
import { tokens } from '@parlance/service-tokens'
import { FolderInUseError } from '@parlance/store'
import { createLogger } from '@parlance/telemetry'

/**
 * Starts the services that commands call in this process, on the data folder. Resolves to undefined while another process uses
 * the folder. Rejects with `StartupError`.
 */
export const startOperatorServices = async (given: Environment, signal: AbortSignal) => {
  const { environment } = await openStandaloneEnvironment(given)
  try {
    const { platform, stop } = await startServices([auth, tokens], {
      // A command is too short to serve health checks, and the port may be in use.
      environment: { ...environment, HEALTH_PORT: undefined },
      // Standard output is for the result.
      logger: createLogger({ level: 'error', destination: process.stderr }),
      signal,
    })
    return { bus: platform.bus, stop }
  } catch (error) {
    if (error instanceof StartupError && error.cause instanceof FolderInUseError) return undefined
    throw error
  }
}

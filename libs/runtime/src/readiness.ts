import { withTimeout } from '@parlance/async'
import type { Platform, Readiness, RunningService, Service } from './service.js'

/** A check that takes longer counts as failed, so that probes are answered in time. */
const checkWithinMs = 1000

const inTime = async (check: boolean | Promise<boolean>): Promise<boolean> =>
  typeof check === 'boolean' ? check : withTimeout(check, checkWithinMs, () => false).catch(() => false)

/** Checks the adapters and all `services`. A service that is not in `running` yet is not ready. */
export const checkReadiness = async (
  { bus, ttl }: Pick<Platform, 'bus' | 'ttl'>,
  services: readonly Service[],
  running: ReadonlyMap<string, RunningService>,
): Promise<Readiness> => {
  const ofServices = services.map(
    async ({ name }) => [name, await inTime(running.get(name)?.ready() ?? false)] as const,
  )
  const checks = {
    bus: bus.connected(),
    ttl: ttl.connected(),
    ...Object.fromEntries(await Promise.all(ofServices)),
  }
  return { ready: Object.values(checks).every(Boolean), checks }
}

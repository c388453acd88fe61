import { type CallOptions, createClient } from '@parlance/bus'
import { type Environment, type Service, startServices } from '@parlance/runtime'
import { operatorDeadlineMs } from '@parlance/runtime/installation'
import { createLogger } from '@parlance/telemetry'
import { createOperatorCalls, type OperatorCalls, type SendCall } from './operator-calls.js'

type RawCalls = Readonly<Record<string, (request: unknown, options: CallOptions) => Promise<Uint8Array>>>

/**
 * Makes calls over the bus that `environment` names. `services` are started in this process first, and stopped by `close`;
 * the list is empty when the services run elsewhere. Rejects with `StartupError`.
 */
export const openBusOperatorCalls = async (
  services: readonly Service[],
  environment: Environment,
  signal: AbortSignal,
): Promise<OperatorCalls> => {
  const { platform, stop } = await startServices(services, {
    // A command is too short to serve health checks, and the port may be in use.
    environment: { ...environment, HEALTH_PORT: undefined },
    // Standard output is for the result.
    logger: createLogger({ level: 'error', destination: process.stderr }),
    signal,
  })
  const send: SendCall = async (contract, method, request) => {
    const calls = createClient(platform.bus, contract).raw as RawCalls
    const reply = await calls[method]!(request, { signal, deadlineMs: operatorDeadlineMs })
    return JSON.parse(Buffer.from(reply).toString('utf8'))
  }
  return createOperatorCalls(send, stop)
}

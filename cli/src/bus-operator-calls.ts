import { type Bus, type CallOptions, connectNatsBus, createClient } from '@parlance/bus'
import { type Environment, operatorDeadlineMs } from '@parlance/runtime/installation'
import { readNatsEnvironment } from '@parlance/runtime/nats'
import { reasonOf, StartupError, withoutCredentials } from '@parlance/runtime/process'
import { createOperatorCalls, type OperatorCalls, type SendCall } from './operator-calls.js'

type RawCalls = Readonly<Record<string, (request: unknown, options: CallOptions) => Promise<Uint8Array>>>

/** Makes calls over a bus. */
export const createBusOperatorCalls = (bus: Bus, signal: AbortSignal, close: () => Promise<void>): OperatorCalls => {
  const send: SendCall = async (contract, method, request) => {
    const calls = createClient(bus, contract).raw as RawCalls
    const reply = await calls[method]!(request, { signal, deadlineMs: operatorDeadlineMs })
    return JSON.parse(Buffer.from(reply).toString('utf8'))
  }
  return createOperatorCalls(send, close)
}

/** Makes calls over the NATS that `environment` names. Rejects with `StartupError`. */
export const openNatsOperatorCalls = async (environment: Environment, signal: AbortSignal): Promise<OperatorCalls> => {
  const { url, ...options } = readNatsEnvironment(environment)
  try {
    const bus = await connectNatsBus({
      ...{ url, ...options, name: 'parlance' },
      onRefused: ({ reason }) => process.stderr.write(`NATS refused an operation: ${reason}\n`),
    })
    return createBusOperatorCalls(bus, signal, () => bus.close())
  } catch (cause) {
    const reason = `No connection to NATS at ${withoutCredentials(url)}: ${reasonOf(cause)}.`
    throw new StartupError([`${reason} Start it, or correct NATS_URL.`], { cause })
  }
}

import type { Bus } from './bus.js'
import type { CallContext, MethodAddress } from './call-context.js'

/** A call with its span, which ends with the call. */
export interface TracedCall {
  /** The context to send. */
  readonly context: CallContext | undefined
  end(error?: unknown): void
}

const noEnd = () => {}

/** Starts the span of a call where it belongs to a sampled trace. */
export const traceCall = (
  { tracing, system }: Bus,
  { service, method }: MethodAddress,
  context: CallContext | undefined,
): TracedCall => {
  const span = tracing?.startCall(`${service}.${method}`, {
    parent: context?.traceparent,
    attributes: { 'rpc.system.name': system, 'rpc.service': service, 'rpc.method': `${service}/${method}` },
  })
  if (span === undefined) return { context, end: noEnd }
  const { traceparent, end } = span
  return { context: { requestId: context?.requestId ?? 'none', traceparent }, end }
}

import type { ServiceError } from '@parlance/contracts'
import { respond, StreamResponder, type StreamResponderOptions } from './stream-responder.js'

/** Returns a function that is true once work has run for the budget since its first call in this tick of the event loop. */
const createTickBudget = (budgetMs: number): (() => boolean) => {
  /** `performance.now()` of the first call in this tick. */
  let beganAtMs: number | undefined
  const onTickEnd = () => {
    beganAtMs = undefined
  }
  return () => {
    const nowMs = performance.now()
    if (beganAtMs === undefined) {
      beganAtMs = nowMs
      setImmediate(onTickEnd)
    }
    return nowMs - beganAtMs >= budgetMs
  }
}

export interface ProducedStream extends Omit<StreamResponderOptions, 'input'> {
  readonly produce: (signal: AbortSignal) => AsyncIterable<object>
  readonly toServiceError: (error: unknown) => ServiceError
}

/** How long chunks may be produced before other work of the process must run. */
const tickBudgetMs = 0.5

/** At the end of the first tick the batch is published, at the end of the second the bus sends it. */
const twoTicks = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

/**
 * Answers a request with a stream of the server. Resolves with the error that was sent to the caller, or with undefined.
 *
 * The first chunk with data is sent before the next one is produced; later chunks may be batched for some milliseconds.
 */
export const produceStream = ({
  produce,
  toServiceError,
  ...options
}: ProducedStream): Promise<ServiceError | undefined> => {
  const responder = new StreamResponder(options)
  const isBudgetSpent = createTickBudget(tickBudgetMs)
  let hasSentData = false

  const handle = async () => {
    for await (const chunk of produce(responder.signal)) {
      if (responder.signal.aborted) return
      const sent = responder.send(chunk)
      if (sent !== undefined) await sent
      if (responder.signal.aborted) return
      const isFirstData: boolean = !hasSentData && hasData(chunk)
      hasSentData ||= isFirstData
      if (isBudgetSpent() || isFirstData) await twoTicks()
    }
  }
  return respond(responder, handle, toServiceError)
}

const hasData = ({ data }: { readonly data?: Uint8Array }): boolean => data !== undefined && data.length > 0

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { toServiceError } from '@parlance/contracts'
import type { Logger, Span } from '@parlance/telemetry'
import { closeOnceSent } from '../http/connection-end.js'
import { rawErrorResponse } from '../http/error-response.js'
import { requestIdFrom } from '../http/request-id.js'
import type { Upgrade } from './upgrade.js'

export interface AnsweredUpgradeOptions {
  readonly logger: Logger
  /** The log message for an upgrade that failed with an internal error. */
  readonly failed: string
  /** Starts the span of an upgrade whose trace is sampled. */
  startSpan(headers: IncomingHttpHeaders): Span | undefined
}

/** Handles upgrades with `answer`. The error with which `answer` rejects becomes an HTTP response instead of the upgrade. */
export const answeredUpgrade =
  (
    answer: (req: IncomingMessage, socket: Duplex, head: Buffer, requestId: string) => Promise<void>,
    { logger, failed, startSpan }: AnsweredUpgradeOptions,
  ): Upgrade =>
  (req, socket, head) => {
    const requestId = requestIdFrom(req.headers)
    socket.on('error', () => socket.destroy())
    const span = startSpan(req.headers)
    const run = () => answer(req, socket, head, requestId)
    const answered = span === undefined ? run() : span.run(run)
    answered.then(
      () => span?.end(),
      (thrown: unknown) => {
        const error = toServiceError(thrown)
        span?.end(error)
        if (error.cause !== undefined) logger.error({ requestId, err: error }, failed)
        closeOnceSent(socket)
        socket.end(rawErrorResponse(error, requestId))
      },
    )
  }

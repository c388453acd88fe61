import {
  type EndReason,
  errorBody,
  type ServiceError,
  type SessionServerEvent,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'

/** The stages of a turn that may fail: recognition, the language model, speech. */
export type FailingStage = 'stt' | 'llm' | 'tts'

interface StageFailuresOptions {
  readonly requestId: string
  readonly logger: Logger
  send(event: SessionServerEvent): void
  end(reason: EndReason, deadlineMs: number, error?: ServiceError): void
}

/** A stage that fails so often in a row is not expected to recover. */
const maxInARow = 3
/** How long the agent may continue to speak after a failure that ends the conversation. */
const farewellMs = 5_000

export type StageFailures = ReturnType<typeof createStageFailures>

export const createStageFailures = ({ requestId, logger, send, end }: StageFailuresOptions) => {
  const inARow = { stt: 0, llm: 0, tts: 0 }

  return {
    onSucceeded(stage: FailingStage): void {
      inARow[stage] = 0
    },
    /** Sends the error to the client. Ends the conversation after too many failures in a row, or without credit. */
    onFailed(stage: FailingStage, thrown: unknown) {
      const error = toServiceError(thrown)
      logger.warn({ component: stage, code: error.code, err: error }, 'A stage of a conversation failed')
      send(errorBody(error, requestId))
      if (error.code === 'insufficient_credit') return end('insufficient_credit', farewellMs)
      inARow[stage] += 1
      if (inARow[stage] >= maxInARow) end(`${stage}_error`, farewellMs, error)
    },
  }
}

/** The stages of a turn that may fail: recognition, the language model, speech. */
export type FailingStage = 'stt' | 'llm' | 'tts'

/** A stage that fails so often in a row is not expected to recover. */
const maxInARow = 3

export interface Failures {
  succeeded(stage: FailingStage): void
  /** Answers whether the conversation has to end. */
  failed(stage: FailingStage): boolean
}

export const createFailures = (): Failures => {
  const inARow = { stt: 0, llm: 0, tts: 0 }
  return {
    succeeded(stage) {
      inARow[stage] = 0
    },
    failed(stage) {
      inARow[stage] += 1
      return inARow[stage] >= maxInARow
    },
  }
}

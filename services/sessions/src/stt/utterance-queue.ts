/**
 * The utterances that wait for a process, in the order in which they get one: those of conversations in the order of their
 * arrival, then recordings.
 */
import type { ServiceError } from '@parlance/contracts'
import { noRoom } from './recognition-failure.js'
import type { RecognitionProcess } from './recognition-process.js'
import type { RecognitionProcessPool } from './recognition-process-pool.js'
import type { Utterance } from './utterance.js'

export interface QueuedUtterance {
  readonly utterance: Utterance
  readonly language: string
  readonly speaker: object
  readonly isRecording: boolean
}

export interface UtteranceQueueOptions {
  readonly pool: Pick<RecognitionProcessPool, 'take' | 'startFor'>
  readonly maxWaiting: number
  /** Never rejects. */
  recognize(process: RecognitionProcess, queued: QueuedUtterance): Promise<void>
}

export interface UtteranceQueue {
  isEmpty(): boolean
  /** Where more utterances wait than may, the last one fails. */
  enqueue(queued: QueuedUtterance): void
  /** Gives waiting utterances to idle processes, in their order, and starts more processes as needed. */
  assign(): void
  /** Fails the utterances that wait. */
  fail(error: ServiceError): void
  /** Fails the utterances that wait, and every later one. */
  close(error: ServiceError): void
}

export const createUtteranceQueue = ({ pool, maxWaiting, recognize }: UtteranceQueueOptions): UtteranceQueue => {
  let waiting: QueuedUtterance[] = []
  let closedWith: ServiceError | undefined

  const assign = () => {
    waiting = waiting.filter(({ utterance }) => !utterance.settled.aborted)
    while (waiting.length > 0) {
      const process = pool.take()
      if (process === undefined) break
      void recognize(process, waiting.shift()!)
    }
    pool.startFor(waiting.length)
  }
  const fail = (error: ServiceError) => {
    for (const { utterance } of waiting.splice(0)) utterance.fail(error)
  }
  /** Utterances of conversations wait before recordings. */
  const conversationsWaiting = () => waiting.filter(({ isRecording }) => !isRecording).length

  return {
    isEmpty: () => waiting.length === 0,
    enqueue(queued) {
      if (closedWith !== undefined) return queued.utterance.fail(closedWith)
      waiting.splice(queued.isRecording ? waiting.length : conversationsWaiting(), 0, queued)
      assign()
      if (waiting.length > maxWaiting) waiting.pop()!.utterance.fail(noRoom())
    },
    assign,
    fail,
    close(error) {
      closedWith = error
      fail(error)
    },
  }
}

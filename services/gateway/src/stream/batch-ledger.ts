import type { SpeechBill } from '@parlance/clients/speech'
import { countCodePoints, type SegmentBatch } from '@parlance/speech'

/** A batch of segments that is spoken and billed as one. */
export interface BilledBatch extends SegmentBatch {
  /** Code points of its text. */
  readonly characters: number
}

interface Entry {
  readonly batch: BilledBatch
  sentSegments: number
  bill?: SpeechBill
}

/**
 * The part of a context's text that was sent, and the bills of its batches.
 *
 * - A batch is settled when its last segment was sent, or when the context is over.
 * - Every opened bill is settled once, even one that opens after the end of the context.
 */
export class BatchLedger {
  /** The batches that were begun and are not settled, in the order in which they are spoken. */
  readonly #entries: Entry[] = []
  #sentCharacters = 0
  #settledCharacters = 0
  #isClosed = false

  /** Code points of the segments that were sent completely. */
  get sentCharacters(): number {
    return this.#sentCharacters
  }

  begin(batch: SegmentBatch): BilledBatch {
    const billed = { ...batch, characters: countCodePoints(batch.text) }
    this.#entries.push({ batch: billed, sentSegments: 0 })
    return billed
  }

  /** Returns whether the batch is still wanted; if not, its bill is settled for nothing. */
  billOpened(batch: BilledBatch, bill: SpeechBill): boolean {
    const entry = this.#isClosed ? undefined : this.#entries.find((each) => each.batch === batch)
    if (entry === undefined) bill.settle(0)
    else entry.bill = bill
    return entry !== undefined
  }

  /** The next segment was sent completely. */
  segmentSent(characters: number): void {
    const entry = this.#entries[0]!
    entry.sentSegments += 1
    this.#sentCharacters += characters
    if (entry.sentSegments > entry.batch.cuts.length) this.#settleFirst(this.#sentCharacters)
  }

  /** The context is over, and this number of code points of its text was delivered. */
  close(deliveredCharacters: number): void {
    this.#isClosed = true
    while (this.#entries.length > 0) this.#settleFirst(deliveredCharacters)
  }

  #settleFirst(deliveredCharacters: number): void {
    const { bill, batch } = this.#entries.shift()!
    const ofBatch = Math.max(0, deliveredCharacters - this.#settledCharacters)
    bill?.settle(Math.min(ofBatch, batch.characters))
    this.#settledCharacters += batch.characters
  }
}

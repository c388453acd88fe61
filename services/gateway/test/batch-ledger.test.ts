import type { SpeechBill } from '@parlance/clients/speech'
import { BatchLedger } from '../src/stream/batch-ledger.js'

const batch = (text: string, cuts: readonly number[] = []) => ({ text, cuts, speakable: true })

/** A bill that records the amount for which it was settled. */
const billOf = (settled: number[]): SpeechBill =>
  ({ settle: (characters: number) => settled.push(characters) }) as unknown as SpeechBill

test('a batch is settled for all of its text when its last segment was sent', () => {
  const ledger = new BatchLedger()
  const [first, second]: number[][] = [[], []]
  ledger.billOpened(ledger.begin(batch('One. Two 😀.', [4])), billOf(first!))
  ledger.billOpened(ledger.begin(batch(' Three.')), billOf(second!))
  ledger.segmentSent(4)
  expect([first, ledger.sentCharacters]).toEqual([[], 4])
  ledger.segmentSent(7)
  expect([first, second, ledger.sentCharacters]).toEqual([[11], [], 11])
})

test('a context that has ended settles each batch for the text that was delivered', () => {
  const ledger = new BatchLedger()
  const bills: number[][] = [[], [], []]
  for (const [index, text] of ['One.', ' Two.', ' Three.'].entries()) {
    ledger.billOpened(ledger.begin(batch(text)), billOf(bills[index]!))
  }
  ledger.segmentSent(4)
  ledger.close(7)
  expect(bills).toEqual([[4], [3], [0]])
})

test('a bill that opens after the end of the context is settled for nothing, and its batch is not spoken', () => {
  const ledger = new BatchLedger()
  const settled: number[] = []
  const late = ledger.begin(batch('One.'))
  ledger.close(0)
  expect(ledger.billOpened(late, billOf(settled))).toBe(false)
  expect(settled).toEqual([0])
})

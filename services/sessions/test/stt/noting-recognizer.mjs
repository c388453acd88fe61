/** A recognizer for tests. The text of an utterance is its first sample; each decoding is noted in a file and takes a while. */
import { appendFileSync } from 'node:fs'
import { runRecognizerHost } from '@parlance/engine/host'

const [journal] = process.argv.slice(2)
const decodingMs = 150
let first
let text = ''

await runRecognizerHost(async () => ({
  hello: { engine: 'noting', version: '1', sampleRateHz: 16_000, languages: ['en'], streaming: false },
  begin() {
    first = undefined
    text = ''
  },
  accept(samples) {
    first ??= samples[0]
  },
  end() {
    appendFileSync(journal, `${first}\n`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, decodingMs)
    text = String(first)
  },
  text: () => text,
  acoustics: () => [],
}))

import { spawn } from 'node:child_process'
import { createFrameDecoder, encodeFrame, encodeJsonFrame, type Frame, jsonOf } from '@parlance/engine/protocol'

/** Its text is how many samples it has decoded of the utterance. */
const program = `
  import { runRecognizerHost } from '@parlance/engine/host'
  let count = 0
  await runRecognizerHost(async () => ({
    hello: { engine: 'counting', version: '1', sampleRateHz: 16000, languages: ['en'], streaming: true },
    begin: () => { count = 0 },
    accept: (samples) => { count += samples.length },
    end() {},
    text: () => String(count),
    acoustics: () => [],
  }))`

test('nothing is decoded of an utterance that was cancelled before, and the next is recognized', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  const frames: Frame[] = []
  const decode = createFrameDecoder()
  child.stdout.on('data', (bytes: Buffer) => frames.push(...decode(bytes)))
  const audio = new Uint8Array(20_000)
  // The pipe takes all of it before the process reads.
  for (const frame of [
    encodeJsonFrame('recognize', 1, { acoustics: [] }),
    encodeFrame('audio', 1, audio),
    encodeFrame('cancel', 1),
    encodeJsonFrame('recognize', 2, { acoustics: [] }),
    encodeFrame('audio', 2, audio),
    encodeFrame('end', 2),
  ]) {
    child.stdin.write(frame)
  }
  while (!frames.some(({ kind, job }) => kind === 'end' && job === 2)) await new Promise(setImmediate)
  child.kill('SIGKILL')
  const texts = (job: number) =>
    frames.flatMap((frame) => (frame.job === job && frame.kind === 'text' ? [jsonOf(frame)] : []))
  expect(texts(1)).toEqual([{ text: '0' }])
  expect(texts(2).at(-1)).toEqual({ text: '10000' })
})

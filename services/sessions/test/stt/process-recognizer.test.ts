import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@parlance/telemetry'
import { openProcessRecognizer } from '../../src/stt/process-recognizer.js'
import type { Recognizer } from '../../src/stt/recognizer.js'
import { patienceMs } from './describe-recognizer.js'

const program = fileURLToPath(new URL('noting-recognizer.mjs', import.meta.url))

let home: string
let journal: string
let recognizer: Recognizer
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parlance-order-'))
  journal = join(home, 'decodings')
  recognizer = await openProcessRecognizer({
    name: 'noting',
    logger: createLogger({ level: 'silent' }),
    command: [process.execPath, program, journal],
    maxProcesses: 1,
    finishTimeoutMs: patienceMs,
  })
})
afterAll(async () => {
  await recognizer?.close()
  await rm(home, { recursive: true })
})

/** The utterances in the order in which they were decoded. */
const decodings = () => readFileSync(journal, 'utf8').trim().split('\n')

/** 20 ms of an utterance, whose text is the number. */
const frameOf = (number: number) => new Int16Array(320).fill(number)

const recognize = async (number: number, isRecording = false): Promise<string> => {
  const recognition = recognizer.open({ language: 'en', isRecording, onPartial: () => {} })
  recognition.push(frameOf(number))
  return (await recognition.finish()).text
}

/** A user who speaks on until the returned function is called, which resolves to the whole text. */
const speakOn = (number: number, onPartial: () => void) => {
  const recognition = recognizer.open({ language: 'en', onPartial })
  const microphone = setInterval(() => recognition.push(frameOf(number)), 20)
  return async () => {
    clearInterval(microphone)
    return (await recognition.finish()).text
  }
}

test('finished utterances are decoded before one in progress is decoded again, in their order, and recordings after them', async () => {
  const release = recognizer.keepWarm!()
  const partial = new EventTarget()
  const stopSpeaking = speakOn(1, () => partial.dispatchEvent(new Event('text')))
  await once(partial, 'text')
  const before = decodings().length
  // The first recording finds the process idle. Together they take longer than the pause between two partial texts.
  const texts = await Promise.all([recognize(5, true), recognize(6, true), recognize(2), recognize(3), recognize(4)])
  expect(texts).toEqual(['5', '6', '2', '3', '4'])
  expect(decodings().slice(before, before + 5)).toEqual(['5', '2', '3', '4', '6'])
  expect(await stopSpeaking()).toBe('1')
  release()
})

test('an utterance that was previewed is decoded again at its end only when voice followed', async () => {
  const release = recognizer.keepWarm!()
  const finishAfterPreview = async (number: number, silentSincePreview: boolean) => {
    const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
    recognition.push(frameOf(number))
    expect(await recognition.preview!()).toBe(String(number))
    recognition.push(frameOf(number))
    return recognition.finish({ silentSincePreview })
  }
  expect(await finishAfterPreview(71, true)).toEqual({ text: '71', audioMs: 40 })
  expect(await finishAfterPreview(72, false)).toEqual({ text: '72', audioMs: 40 })
  expect(decodings().slice(-3)).toEqual(['71', '72', '72'])
  release()
})

test('the end of an utterance waits for the preview in progress, and a later preview replaces it', async () => {
  const release = recognizer.keepWarm!()
  const recognition = recognizer.open({ language: 'en', onPartial: () => {} })
  recognition.push(frameOf(81))
  const replaced = recognition.preview!()
  const preview = recognition.preview!()
  expect((await recognition.finish({ silentSincePreview: true })).text).toBe('81')
  expect(await replaced).toBeUndefined()
  expect(await preview).toBe('81')
  release()
})

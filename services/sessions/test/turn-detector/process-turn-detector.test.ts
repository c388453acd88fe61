import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@parlance/telemetry'
import { turnOfTones, writeToneTurnModel } from '@parlance/testing'
import type { TurnDetector } from '../../src/turn-detector/turn-detector.js'
import { openProcessTurnDetector, type ProcessTurnDetectorOptions } from '../../src/turn-detector/turn-detector.js'

/** No answer comes late on a busy machine. */
const patienceMs = 20_000
const program = fileURLToPath(import.meta.resolve('@parlance/engine-smart-turn/main'))

let models: string
beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'parlance-turn-models-'))
  await writeToneTurnModel(join(models, 'tones'))
})
afterAll(() => rm(models, { recursive: true }))

const opened: TurnDetector[] = []
afterEach(() => Promise.all(opened.splice(0).map((detector) => detector.close())))

/** A detector with the ids of its processes from its log, the latest last. */
const open = async (options: Partial<ProcessTurnDetectorOptions> = {}) => {
  const pids: number[] = []
  const messages: string[] = []
  const write = (line: string) => {
    const { msg, pid } = JSON.parse(line)
    messages.push(msg)
    if (msg === 'An engine process is ready') pids.push(pid)
  }
  const detector = await openProcessTurnDetector({
    modelName: 'tones',
    languages: undefined,
    command: [process.execPath, program, join(models, 'tones/model.onnx')],
    logger: createLogger({ name: 'test', destination: { write } }),
    answerWithinMs: patienceMs,
    cancelTimeoutMs: 1000,
    ...options,
  })
  opened.push(detector)
  return { detector, pids, messages }
}

/** Resolves with the first answer. */
const answered = async (detector: TurnDetector): Promise<number> => {
  for (;;) {
    const probability = await detector.detect(turnOfTones('complete'))
    if (probability !== undefined) return probability
    await delay(20)
  }
}

test('distinguishes turns that sound complete from those that do not, also several at once', async () => {
  const { detector } = await open()
  expect(detector.audioMs).toBe(8000)
  const answers = await Promise.all([
    detector.detect(turnOfTones('complete')),
    detector.detect(turnOfTones('incomplete')),
    detector.detect(turnOfTones('complete')),
  ])
  expect(answers[0]).toBeGreaterThan(0.9)
  expect(answers[1]).toBeLessThan(0.1)
  expect(answers[2]).toBe(answers[0])
})

test('judges the end of audio that is longer than a model takes', async () => {
  const { detector } = await open()
  const long = new Int16Array(30 * 16_000)
  const ending = turnOfTones('complete')
  long.set(ending, long.length - ending.length)
  expect(await detector.detect(long)).toBeGreaterThan(0.9)
})

test('questions that are not answered in time have no answer', async () => {
  const { detector } = await open({ answerWithinMs: 1 })
  const late = await Promise.all(Array.from({ length: 4 }, () => detector.detect(turnOfTones('complete'))))
  expect(late).toEqual([undefined, undefined, undefined, undefined])
})

test('when too many questions wait, the next has no answer at once', async () => {
  const { detector } = await open({ maxWaiting: 2 })
  const questions = Array.from({ length: 4 }, () => detector.detect(turnOfTones('complete')))
  expect((await Promise.all(questions)).map((answer) => answer !== undefined)).toEqual([true, true, false, false])
})

test('questions to a process that ends have no answer, and a new process answers the next', async () => {
  const { detector, pids } = await open()
  const question = detector.detect(turnOfTones('complete'))
  process.kill(pids[0]!, 'SIGKILL')
  expect(await question).toBeUndefined()
  expect(await answered(detector)).toBeGreaterThan(0.9)
  expect(pids).toHaveLength(2)
})

test('a process that does not answer is killed, and another answers', async () => {
  const { detector, pids } = await open({ answerWithinMs: 2000 })
  const stopped = pids[0]!
  process.kill(stopped, 'SIGSTOP')
  // Made before: a busy machine takes seconds for twelve, and the last question would be asked when the next process answers.
  const turn = turnOfTones('complete')
  const questions = Array.from({ length: 12 }, () => detector.detect(turn))
  expect((await Promise.all(questions)).every((answer) => answer === undefined)).toBe(true)
  // On a busy machine an answer of the next process may be late as well.
  expect(await answered(detector)).toBeGreaterThan(0.9)
  expect(() => process.kill(stopped, 0)).toThrow('ESRCH')
})

test('a missing model or one of another kind is refused with the reason', async () => {
  const missing = join(models, 'none.onnx')
  await expect(open({ command: [process.execPath, program, missing] })).rejects.toThrow(/cannot be read \(ENOENT\)/)
  const wrong = join(models, 'tones/parlance.json')
  await expect(open({ command: [process.execPath, program, wrong] })).rejects.toThrow(/is not Smart Turn v3/)
})

test('a closed detector has no answers and leaves no process', async () => {
  const { detector, messages } = await open()
  await detector.close()
  expect(await detector.detect(turnOfTones('complete'))).toBeUndefined()
  expect(messages.at(-1)).toBe('An engine process ended')
})

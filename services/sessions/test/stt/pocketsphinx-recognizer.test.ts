import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { encodeJsonFrame } from '@parlance/engine/protocol'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms } from '@parlance/testing'
import { openPocketsphinxRecognizer, type PocketsphinxOptions } from '../../src/stt/pocketsphinx-recognizer.js'
import { framesOf, spoken } from '../spoken.js'
import { describeRecognizer, patienceMs, recognize, silence } from './describe-recognizer.js'
import { wordErrors } from './word-errors.js'

/** With the ids of its processes, which its log tells; the latest last. */
const openScene = async (options: Partial<PocketsphinxOptions> = {}) => {
  const pids: number[] = []
  let onReady = () => {}
  const write = (line: string) => {
    const { msg, pid } = JSON.parse(line)
    if (msg !== 'An engine process is ready') return
    pids.push(pid)
    onReady()
  }
  const logger = createLogger({ name: 'test', destination: { write } })
  const recognizer = await openPocketsphinxRecognizer({
    logger,
    maxProcesses: 1,
    finishTimeoutMs: patienceMs,
    ...options,
  })
  const ready = (count: number) =>
    new Promise<void>((resolve) => {
      onReady = () => pids.length >= count && resolve()
      onReady()
    })
  return { recognizer, pids, ready }
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const gone = async (pid: number) => {
  while (isRunning(pid)) await delay(10)
}

describeWithPrograms(['flite', 'pocketsphinx'], 'pocketsphinx', () => {
  describeRecognizer('pocketsphinx', async () => {
    const { recognizer } = await openScene({ maxProcesses: 2 })
    return {
      recognizer,
      speech: await spoken('please tell me the time'),
      text: /time/,
      streaming: true,
      atOnce: 10,
    }
  })

  describe('with one process', () => {
    let scene: Awaited<ReturnType<typeof openScene>>
    beforeAll(async () => {
      scene = await openScene({ maxWaitingPerProcess: 2, maxUtteranceMs: 4000 })
    })
    afterAll(() => scene?.recognizer.close())

    it(
      'gets less than half of the words of plain sentences wrong, and hardly more of a speaker whom it knows',
      async () => {
        const sentences = [
          'how much does it cost',
          'please tell me the time',
          'what is the weather like today',
          'can you help me find my keys',
        ]
        const speaker = {}
        const wrong = { strange: 0, known: 0 }
        for (const sentence of sentences) {
          const speech = await spoken(sentence, 1)
          wrong.strange += wordErrors(sentence, (await recognize(scene.recognizer, speech)).text)
          wrong.known += wordErrors(sentence, (await recognize(scene.recognizer, speech, 'en', speaker)).text)
        }
        expect(wrong.strange / sentences.join(' ').split(' ').length).toBeLessThan(0.5)
        expect(wrong.known).toBeLessThanOrEqual(wrong.strange + 2)
      },
      patienceMs,
    )

    it(
      'hears the same whatever was said before',
      async () => {
        const speech = await spoken('what is the weather like today')
        const first = await recognize(scene.recognizer, speech)
        await recognize(
          scene.recognizer,
          (await spoken('something else', 1)).map((sample) => sample / 10),
        )
        expect(await recognize(scene.recognizer, speech)).toEqual(first)
      },
      patienceMs,
    )

    it(
      'tells what it understands while it is being said',
      async () => {
        const partials: string[] = []
        let tell = (_: string) => {}
        const told = new Promise<string>((resolve) => {
          tell = resolve
        })
        const recognition = scene.recognizer.open({
          language: 'en',
          onPartial: (text) => {
            partials.push(text)
            if (text.includes('me')) tell(text)
          },
        })
        for (const frame of framesOf(await spoken('please tell me the time'))) recognition.push(frame)
        await told
        const { text } = await recognition.finish()
        expect(partials.at(-1)).toBe(text)
        expect(new Set(partials).size).toBeGreaterThan(3)
      },
      patienceMs,
    )

    it(
      'has room for so many that wait, and says so to the next',
      async () => {
        const open = () => scene.recognizer.open({ language: 'en', onPartial: () => {} })
        const taken = [open(), open(), open()]
        const tooMany = open()
        await expect(tooMany.finish()).rejects.toMatchObject({ code: 'capacity_exhausted' })
        taken[1]!.cancel()
        const next = open()
        taken[0]!.cancel()
        expect(await Promise.all([taken[2]!.finish(), next.finish()])).toEqual([
          { text: '', audioMs: 0 },
          { text: '', audioMs: 0 },
        ])
      },
      patienceMs,
    )

    it(
      'is free as soon as an utterance is cancelled, however much of it there is to decode',
      async () => {
        const long = scene.recognizer.open({ language: 'en', onPartial: () => {} })
        const speech = await spoken('one two three four five six seven eight')
        long.push(speech)
        long.cancel()
        const startedMs = performance.now()
        await recognize(scene.recognizer, silence(20))
        const freeMs = performance.now() - startedMs
        await recognize(scene.recognizer, speech)
        expect(freeMs).toBeLessThan((performance.now() - startedMs - freeMs) / 2)
      },
      patienceMs,
    )

    it(
      'listens to an utterance for so long and no longer',
      async () => {
        const { audioMs } = await recognize(scene.recognizer, silence(9000))
        expect(audioMs).toBe(4000)
      },
      patienceMs,
    )

    it(
      'loses the utterance of a process that is killed, and hears the next with another',
      async () => {
        const recognition = scene.recognizer.open({ language: 'en', onPartial: () => {} })
        recognition.push(await spoken('please tell me'))
        const count = scene.pids.length
        process.kill(scene.pids.at(-1)!, 'SIGKILL')
        await expect(recognition.finish()).rejects.toMatchObject({ code: 'upstream_error' })
        const { text } = await recognize(scene.recognizer, await spoken('please tell me the time'))
        expect(text).toMatch(/tell|time/)
        expect(scene.pids).toHaveLength(count + 1)
      },
      patienceMs,
    )

    it(
      'gives up on a process that hangs, and replaces it',
      async () => {
        const { recognizer, pids, ready } = await openScene({ finishTimeoutMs: 500, cancelTimeoutMs: 200 })
        recognizer.keepWarm?.()
        await ready(2)
        process.kill(pids[1]!, 'SIGSTOP')
        await expect(recognize(recognizer, silence(200))).rejects.toMatchObject({ code: 'upstream_timeout' })
        const next = recognizer.open({ language: 'en', onPartial: () => {} })
        await ready(3)
        expect(isRunning(pids[1]!)).toBe(false)
        expect((await next.finish()).text).toBe('')
        await recognizer.close()
      },
      patienceMs,
    )

    it(
      'starts no process before a conversation or an utterance, and ends it when no conversation needs it any more',
      async () => {
        const { recognizer, pids, ready } = await openScene({ maxProcesses: 2, idleMs: 0 })
        expect(pids.map(isRunning)).toEqual([false])
        const release = recognizer.keepWarm!()
        await ready(2)
        release()
        await gone(pids[1]!)
        expect((await recognize(recognizer, silence(200))).text).toBe('')
        await gone(pids[2]!)
        expect(pids).toHaveLength(3)
        await recognizer.close()
      },
      patienceMs,
    )

    it(
      'starts a process for each conversation that begins, as many as are allowed, before anything is spoken',
      async () => {
        const { recognizer, pids, ready } = await openScene({ maxProcesses: 3 })
        for (let conversations = 1; conversations <= 5; conversations++) recognizer.keepWarm!()
        await ready(4)
        const utterances = Array.from({ length: 3 }, () => recognize(recognizer, silence(200)))
        expect((await Promise.all(utterances)).map(({ text }) => text)).toEqual(['', '', ''])
        expect(pids).toHaveLength(4)
        await recognizer.close()
      },
      patienceMs,
    )

    it(
      'keeps idle processes for the conversations in progress, and ends those that no conversation needs',
      async () => {
        const { recognizer, pids, ready } = await openScene({ maxProcesses: 2, idleMs: 0 })
        const releases = [recognizer.keepWarm!(), recognizer.keepWarm!()]
        await ready(3)
        for (let round = 0; round < 3; round++) expect((await recognize(recognizer, silence(200))).text).toBe('')
        expect(pids.map(isRunning)).toEqual([false, true, true])
        releases[0]!()
        releases[0]!()
        await Promise.race(pids.slice(1).map(gone))
        expect((await recognize(recognizer, silence(200))).text).toBe('')
        expect(pids).toHaveLength(3)
        expect(pids.filter(isRunning)).toHaveLength(1)
        await recognizer.close()
      },
      patienceMs,
    )

    it(
      'leaves no process behind, and fails what was under way',
      async () => {
        const { recognizer, pids, ready } = await openScene({ maxProcesses: 2 })
        const open = () => recognizer.open({ language: 'en', onPartial: () => {} })
        const underWay = Array.from({ length: 3 }, open)
        await ready(3)
        await recognizer.close()
        expect(pids.map(isRunning)).toEqual([false, false, false])
        for (const recognition of [...underWay, open()]) {
          await expect(recognition.finish()).rejects.toMatchObject({ code: 'draining' })
        }
      },
      patienceMs,
    )
  })
})

describe('without pocketsphinx', () => {
  const logger = createLogger({ name: 'test', level: 'silent' })
  const main = fileURLToPath(import.meta.resolve('@parlance/engine-pocketsphinx/main'))

  it('says what to install, and leaves nothing running', async () => {
    const command = [process.execPath, main, '--model', '/nowhere'] as const
    await expect(openPocketsphinxRecognizer({ logger, maxProcesses: 2, command })).rejects.toThrow(
      'there is no English model for pocketsphinx (Debian: apt-get install pocketsphinx-en-us)',
    )
  })

  it.each([
    ['does not start', 'process.exit(3)'],
    ['does not keep to the protocol', 'process.stdout.write("hello?".repeat(99)); setInterval(() => {}, 9)'],
  ])('does not open where its process %s', async (_, program) => {
    const command = [process.execPath, '--eval', program] as const
    await expect(openPocketsphinxRecognizer({ logger, command })).rejects.toThrow('the engine process ended')
  })

  it('tells whoever waits to be heard that no process starts any more', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recognizer-'))
    const program =
      'require("node:fs").mkdirSync(process.argv[1]); process.stdout.write(Buffer.from(process.argv[2], "base64")); process.stdin.resume()'
    const hello = encodeJsonFrame('hello', 0, {
      engine: 'none',
      version: '1',
      sampleRateHz: 16_000,
      languages: ['en'],
      streaming: true,
    })
    const once = [
      process.execPath,
      '--eval',
      program,
      join(folder, 'once'),
      Buffer.from(hello).toString('base64'),
    ] as const
    const recognizer = await openPocketsphinxRecognizer({ logger, command: once })
    await expect(recognize(recognizer, silence(100))).rejects.toMatchObject({ code: 'upstream_error' })
    await recognizer.close()
    await rm(folder, { recursive: true })
  })
})

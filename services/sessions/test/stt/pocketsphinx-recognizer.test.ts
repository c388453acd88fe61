import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeJsonFrame } from '@parlance/engine/protocol'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, wordErrors } from '@parlance/testing'
import { openPocketsphinxRecognizer } from '../../src/stt/pocketsphinx-recognizer.js'
import { framesOf, spoken } from '../spoken.js'
import { describeRecognizer, recognize, silence } from './describe-recognizer.js'
import { openScene } from './pocketsphinx-scene.js'

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

    it('gets less than half of the words of plain sentences wrong, and hardly more of a known speaker', async () => {
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
    })

    it('recognizes the same text whatever the utterances before', async () => {
      const speech = await spoken('what is the weather like today')
      const first = await recognize(scene.recognizer, speech)
      await recognize(
        scene.recognizer,
        (await spoken('something else', 1)).map((sample) => sample / 10),
      )
      expect(await recognize(scene.recognizer, speech)).toEqual(first)
    })

    it('reports partial texts during the utterance', async () => {
      const partials: string[] = []
      let report = (_: string) => {}
      const reported = new Promise<string>((resolve) => {
        report = resolve
      })
      const recognition = scene.recognizer.open({
        language: 'en',
        onPartial: (text) => {
          partials.push(text)
          if (text.includes('me')) report(text)
        },
      })
      for (const frame of framesOf(await spoken('please tell me the time'))) recognition.push(frame)
      await reported
      const { text } = await recognition.finish()
      expect(partials.at(-1)).toBe(text)
      expect(new Set(partials).size).toBeGreaterThan(3)
    })

    it('lets so many utterances wait, and refuses the next', async () => {
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
    })

    it('recognizes only the first part of an utterance that is too long', async () => {
      const { audioMs } = await recognize(scene.recognizer, silence(9000))
      expect(audioMs).toBe(4000)
    })

    it('loses the utterance of a process that is killed, and recognizes the next with another', async () => {
      const recognition = scene.recognizer.open({ language: 'en', onPartial: () => {} })
      recognition.push(await spoken('please tell me'))
      const count = scene.pids.length
      process.kill(scene.pids.at(-1)!, 'SIGKILL')
      await expect(recognition.finish()).rejects.toMatchObject({ code: 'upstream_error' })
      const { text } = await recognize(scene.recognizer, await spoken('please tell me the time'))
      expect(text).toMatch(/tell|time/)
      expect(scene.pids).toHaveLength(count + 1)
    })
  })
})

describe('without pocketsphinx', () => {
  const logger = createLogger({ name: 'test', level: 'silent' })
  const main = fileURLToPath(import.meta.resolve('@parlance/engine-pocketsphinx/main'))

  it('names the package to install, and leaves no process', async () => {
    const command = [process.execPath, main, '--model', '/nowhere'] as const
    await expect(openPocketsphinxRecognizer({ logger, maxProcesses: 2, command })).rejects.toThrow(
      'the English model of pocketsphinx is not installed (Debian: apt-get install pocketsphinx-en-us)',
    )
  })

  it.each([
    ['does not start', 'process.exit(3)'],
    ['does not keep to the protocol', 'process.stdout.write("hello?".repeat(99)); setInterval(() => {}, 9)'],
  ])('does not open where its process %s', async (_, program) => {
    const command = [process.execPath, '--eval', program] as const
    await expect(openPocketsphinxRecognizer({ logger, command })).rejects.toThrow('the engine process ended')
  })

  it('fails waiting utterances when no process starts any more', async () => {
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

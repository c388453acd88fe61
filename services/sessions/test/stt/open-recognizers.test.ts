import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '@parlance/runtime'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, writeToneRecognizer } from '@parlance/testing'
import { standInKey, startOpenaiTranscriptionStandIn } from '@parlance/testing/stand-ins'
import { z } from 'zod'
import { openRecognizers, type Recognizers, recognitionVariables } from '../../src/stt/open-recognizers.js'
import { recognize } from './describe-recognizer.js'

const sound = new Int16Array(16_000).fill(1000)

/** The recognizers that are opened with these variables, and the log. */
const opened = async (variables: Record<string, string>, secrets: Record<string, string> = {}) => {
  const log: string[] = []
  const logger = createLogger({ name: 'test', destination: { write: (line) => log.push(JSON.parse(line).msg) } })
  const readSecret = (reference: { env: string } | { file: string }) =>
    secrets['file' in reference ? reference.file : reference.env] ?? ''
  const config = z.object(recognitionVariables).parse(variables)
  const recognizers = await openRecognizers(config, { logger, readSecret })
  return { recognizers, choice: log.filter((line) => line.startsWith('Speech is')), log }
}
const nameFor = ({ recognizers }: { recognizers: Recognizers }, language: string) => recognizers.find(language)?.name

describe('the recognizer that is opened', () => {
  it('is the server whose URL is set, with its key', async () => {
    const standIn = await startOpenaiTranscriptionStandIn('Hello.')
    const url = { STT_OPENAI_URL: standIn.url }
    for (const [variables, secrets] of [
      [{ ...url, STT_OPENAI_API_KEY: `${standInKey}\n` }],
      [{ ...url, STT_OPENAI_API_KEY_FILE: '/run/key' }, { '/run/key': standInKey }],
      [{ ...url, STT_PROVIDER: 'openai', STT_OPENAI_API_KEY: standInKey, STT_OPENAI_MODEL: 'large' }],
    ] as [Record<string, string>, Record<string, string>?][]) {
      const { recognizers, choice } = await opened(variables, secrets)
      expect(choice).toHaveLength(1)
      const recognizer = recognizers.find('en')
      expect(recognizer?.name).toBe('openai')
      expect((await recognize(recognizer!, sound)).text).toBe('Hello.')
      await recognizers.close()
    }
    expect(standIn.asked.map(({ model }) => model)).toEqual(['whisper-1', 'whisper-1', 'large'])
    await standIn.close()
  })

  it('is none with the provider none, which is logged', async () => {
    const all = await opened({ STT_PROVIDER: 'none', STT_OPENAI_URL: 'http://localhost/v1' })
    expect(nameFor(all, 'en')).toBeUndefined()
    expect(all.choice).toHaveLength(1)
  })

  it('is for each language the first that knows it', async () => {
    const all = await opened({
      STT_PROVIDER: 'openai, deepgram',
      STT_OPENAI_URL: 'http://localhost/v1',
      STT_OPENAI_LANGUAGES: 'de, fr-CA',
      STT_DEEPGRAM_API_KEY: 'abc',
    })
    expect(['de', 'DE-at', 'fr', 'en', ''].map((language) => nameFor(all, language))).toEqual([
      ...['openai', 'openai', 'openai'],
      ...['deepgram', 'deepgram'],
    ])
    const auto = await opened(
      { STT_OPENAI_URL: 'http://localhost/v1', STT_DEEPGRAM_API_KEY_FILE: '/run/key' },
      { '/run/key': 'k' },
    )
    expect(nameFor(auto, 'de')).toBe('deepgram')
    expect(auto.choice).toEqual(['Speech is recognized by Deepgram'])
  })

  it('is the next where there is no models folder', async () => {
    const folder = { MODELS_DIR: '/nowhere', STT_DEEPGRAM_API_KEY: 'abc' }
    const all = await opened({ ...folder, STT_PROVIDER: 'sherpa-onnx,deepgram' })
    expect(nameFor(all, 'en')).toBe('deepgram')
    await all.recognizers.close()
  })

  it('is a model of the models folder, before any server', async () => {
    const modelsDir = await mkdtemp(join(tmpdir(), 'parlance-open-'))
    await writeToneRecognizer(join(modelsDir, 'tones-fr'))
    const all = await opened({
      MODELS_DIR: modelsDir,
      STT_SHERPA_PROCESSES: '1',
      STT_DEEPGRAM_API_KEY: 'abc',
    })
    expect(nameFor(all, 'fr-CA')).toBe('sherpa-onnx/tones-fr')
    expect(nameFor(all, 'en')).toBe('deepgram')
    expect(all.choice).toHaveLength(2)
    await all.recognizers.close()
    await rm(modelsDir, { recursive: true })
  })

  it.each([
    [{ STT_PROVIDER: 'openai' }, 'STT_OPENAI_URL is not set'],
    [{ STT_PROVIDER: 'deepgram' }, 'STT_DEEPGRAM_API_KEY is not set'],
    [{ STT_PROVIDER: 'sherpa-onnx,pocketsphinx' }, 'MODELS_DIR is not set'],
    [
      { STT_OPENAI_URL: 'http://localhost/v1', STT_OPENAI_API_KEY: 'two words' },
      'STT_OPENAI_API_KEY contains characters',
    ],
    [{ STT_DEEPGRAM_API_KEY: 'a', STT_DEEPGRAM_API_KEY_FILE: '/b' }, 'are both set'],
  ] as [Record<string, string>, string][])('cannot be %j', async (variables, problem) => {
    await expect(opened(variables)).rejects.toThrow(problem)
    await expect(opened(variables)).rejects.toThrow(StartupError)
  })

  it.each([
    ['STT_OPENAI_URL', 'https://user:pass@host/v1'],
    ['STT_OPENAI_URL', 'https://host/v1?key=secret'],
    ['STT_OPENAI_URL', 'ftp://host/v1'],
    ['STT_OPENAI_URL', 'host'],
    ['STT_DEEPGRAM_URL', 'wss://host/v1?token=secret'],
    ['STT_PROVIDER', 'none,openai'],
    ['STT_PROVIDER', 'whisper'],
    ['STT_PROVIDER', ','],
    ['STT_DEEPGRAM_LANGUAGES', 'English'],
    ['STT_SHERPA_THREADS', '0'],
    ['STT_SHERPA_MODELS_DIR', '/models'],
  ])('cannot have %s=%s', (variable, value) => {
    expect(z.object(recognitionVariables).safeParse({ [variable]: value }).success).toBe(false)
  })
})

test('the folder that is no longer read is named as one that MODELS_DIR may be set to', () => {
  const { error } = z.object(recognitionVariables).safeParse({ STT_SHERPA_MODELS_DIR: '/srv/recognizers' })
  expect(error!.issues).toMatchObject([
    {
      path: ['STT_SHERPA_MODELS_DIR'],
      message: expect.stringContaining('Set MODELS_DIR to the folder of the models, such as /srv/recognizers.'),
    },
  ])
})

describe('where nothing is configured', () => {
  it('no recognizer is opened, not even an installed pocketsphinx, and one line is logged', async () => {
    const { recognizers, log } = await opened({})
    expect(recognizers.list()).toEqual([])
    expect(log).toEqual(['Speech is not recognized: there is no recognizer. Conversations continue by text'])
    await recognizers.close()
  })
})

describeWithPrograms(['pocketsphinx'], 'pocketsphinx', () => {
  it('is opened where it is named', async () => {
    const { recognizers, choice } = await opened({ STT_PROVIDER: 'pocketsphinx', STT_POCKETSPHINX_PROCESSES: '1' })
    expect(recognizers.find('en-GB')).toMatchObject({ name: 'pocketsphinx', languages: ['en'] })
    expect(recognizers.find('de')).toBeUndefined()
    expect(choice).toHaveLength(1)
    await recognizers.close()
  })
})

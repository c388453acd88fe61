import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms } from '@parlance/testing'
import { z } from 'zod'
import { openRecognizer } from '../../src/recognition/open-recognizer.js'
import { recognitionVariables } from '../../src/recognition/recognition-config.js'
import { recognize } from './describe-recognizer.js'
import { key, startTranscriptionStandIn } from './transcription-stand-in.js'

const sound = new Int16Array(16_000).fill(1000)

/** What is opened when these variables are set, and what the log says of it. */
const opened = async (variables: Record<string, string>, secrets: Record<string, string> = {}) => {
  const log: string[] = []
  const logger = createLogger({ name: 'test', destination: { write: (line) => log.push(JSON.parse(line).msg) } })
  const readSecret = (reference: { env: string } | { file: string }) =>
    secrets['file' in reference ? reference.file : reference.env] ?? ''
  const config = z.object(recognitionVariables).parse(variables)
  const recognizer = await openRecognizer(config, { logger, readSecret })
  return { recognizer, choice: log.filter((line) => line.startsWith('Speech is')) }
}

describe('the recognizer that is opened', () => {
  it('is the server whose URL is set, with its key', async () => {
    const standIn = await startTranscriptionStandIn('Hello.')
    const url = { STT_OPENAI_URL: standIn.url }
    for (const [variables, secrets] of [
      [{ ...url, STT_OPENAI_API_KEY: `${key}\n` }],
      [{ ...url, STT_OPENAI_API_KEY_FILE: '/run/key' }, { '/run/key': key }],
      [{ ...url, STT_PROVIDER: 'openai', STT_OPENAI_API_KEY: key, STT_OPENAI_MODEL: 'large' }],
    ] as [Record<string, string>, Record<string, string>?][]) {
      const { recognizer, choice } = await opened(variables, secrets)
      expect(choice).toHaveLength(1)
      expect(recognizer?.name).toBe('openai')
      expect((await recognize(recognizer!, sound)).text).toBe('Hello.')
      await recognizer!.close()
    }
    expect(standIn.asked.map(({ model }) => model)).toEqual(['whisper-1', 'whisper-1', 'large'])
    await standIn.close()
  })

  it('is none where none is wanted, and that is said', async () => {
    const { recognizer, choice } = await opened({ STT_PROVIDER: 'none', STT_OPENAI_URL: 'http://localhost/v1' })
    expect(recognizer).toBeUndefined()
    expect(choice).toHaveLength(1)
  })

  it('cannot be a server without a URL, nor have a key that cannot be sent', async () => {
    await expect(opened({ STT_PROVIDER: 'openai' })).rejects.toThrow('STT_OPENAI_URL is not set')
    const broken = opened({ STT_OPENAI_URL: 'http://localhost/v1', STT_OPENAI_API_KEY: 'two words' })
    await expect(broken).rejects.toThrow('STT_OPENAI_API_KEY holds characters that no key has')
  })

  it.each(['https://user:pass@host/v1', 'https://host/v1?key=secret', 'ftp://host/v1', 'host'])(
    'cannot be at %s',
    (url) => {
      expect(z.object(recognitionVariables).safeParse({ STT_OPENAI_URL: url }).success).toBe(false)
    },
  )
})

describeWithPrograms(['pocketsphinx'], 'the recognizer where nothing is configured', () => {
  it('is pocketsphinx where that is on the machine', async () => {
    const { recognizer, choice } = await opened({ STT_POCKETSPHINX_PROCESSES: '1' })
    expect(recognizer).toMatchObject({ name: 'pocketsphinx', languages: ['en'] })
    expect(choice).toHaveLength(1)
    await recognizer!.close()
  })
})

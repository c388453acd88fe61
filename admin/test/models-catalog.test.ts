import { InstallError, type InstallOptions } from '@parlance/models/install'
import { createFakeModelTools, joe } from './fake-model-tools.js'
import { createFakeServices } from './fake-services.js'

const { run } = createFakeServices()

describe('search', () => {
  test('shows names, kinds, languages, sizes and licenses, and which of them are unknown', async () => {
    const { output } = await run('models search', { width: undefined })
    expect(output).toMatch(/^en_US-joe-medium +tts +en-US, en +63 MB +CC0$/m)
    expect(output).toMatch(/^de_DE-thorsten-medium +tts +de-DE, de +\? +on its card$/m)
    expect(output).toMatch(/^smart-turn +turn +any +63 MB +CC0$/m)
  })

  test.each([
    ['--language en', ['en_US-joe-medium', 'smart-turn']],
    ['--language en_us --kind tts', ['en_US-joe-medium']],
    ['--language fr --kind tts', []],
    ['--license permissive', ['en_US-joe-medium', 'smart-turn']],
    ['--kind turn', ['smart-turn']],
    ['THORSTEN', ['de_DE-thorsten-medium']],
  ])('%s finds %j', async (options, expected) => {
    const { output } = await run(`models search ${options} --json`)
    expect(JSON.parse(output).models.map(({ name }: { name: string }) => name)).toEqual(expected)
  })

  test('prints for scripts where the files are, and whether their digests are known', async () => {
    const { output } = await run('models search --json')
    const [first, second] = JSON.parse(output).models
    expect(first).toMatchObject({
      name: 'en_US-joe-medium',
      kind: 'tts',
      languages: ['en-US', 'en'],
      license: 'CC0',
      size_bytes: 63_201_294,
      trusted_on_first_use: false,
      files: [{ url: joe.files[0]!.url, sha256: 'b'.repeat(64) }],
    })
    expect(second).toMatchObject({
      size_bytes: null,
      license: null,
      trusted_on_first_use: true,
      files: [{ sha256: null }],
    })
  })

  test('prints for scripts every address that a mirror needs, with the data of eSpeak NG for models of Piper', async () => {
    const { output } = await run('models search --json')
    const { url } = joe.files[0]!
    const espeak = 'https://loader.example/espeak.whl'
    const urls = JSON.parse(output).models.map((model: { mirror_urls: string[] }) => model.mirror_urls)
    expect(urls).toEqual([[url, espeak], [url, espeak], [url]])
  })
})

describe('install', () => {
  const installing = (accept: (options: InstallOptions) => Promise<unknown> = async () => undefined) => {
    const asked: unknown[] = []
    const models = createFakeModelTools({
      install: async (model, _catalog, options) => {
        asked.push([model.name, options.modelsDir, options.mirror, options.replace ?? false])
        await accept(options)
        return {
          name: model.name,
          folder: `${options.modelsDir}/${model.name}`,
          license: 'CC0',
          files: [],
          sizeBytes: 0,
        }
      },
    })
    return { asked, models }
  }
  const notice = { model: joe.name, license: 'CC0', source: 'https://collection.example/card', lineage: 'lessac' }

  test('installs each model once, from the mirror, into the folder', async () => {
    const { asked, models } = installing()
    const line = `models install ${joe.name} smart-turn ${joe.name} --models-dir /srv --mirror https://mirror.example/m`
    const { exitCode, output } = await run(line, { openModels: async () => models })
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: 'Installed en_US-joe-medium in /srv/en_US-joe-medium.\nInstalled smart-turn in /srv/smart-turn.\n',
    })
    expect(asked).toEqual([
      [joe.name, '/srv', 'https://mirror.example/m', false],
      ['smart-turn', '/srv', 'https://mirror.example/m', false],
    ])
  })

  test('takes the mirror of the environment', async () => {
    const { asked, models } = installing()
    process.env.PARLANCE_MODELS_MIRROR = 'https://mirror.example/'
    try {
      await run(`models install ${joe.name}`, { openModels: async () => models })
    } finally {
      delete process.env.PARLANCE_MODELS_MIRROR
    }
    expect(asked).toEqual([[joe.name, 'models', 'https://mirror.example/', false]])
  })

  test('installs nothing when one of the names is not in the catalog', async () => {
    const { asked, models } = installing()
    expect(await run(`models install ${joe.name} nothing`, { openModels: async () => models })).toMatchObject({
      exitCode: 1,
      errors: 'error: There is no model nothing in the catalog: `parlance models search` lists them.\n',
    })
    expect(asked).toEqual([])
  })

  test.each([
    ['--accept-license', undefined, true],
    ['', undefined, false],
    ['', async () => true, true],
    ['', async () => false, false],
  ])('shows the license, which "%s" and an answer at the terminal decide on', async (option, confirm, expected) => {
    let accepted: boolean | undefined
    const { models } = installing(async ({ acceptLicense }) => {
      accepted = await acceptLicense(notice)
    })
    const { errors } = await run(`models install ${joe.name} ${option}`.trim(), {
      openModels: async () => models,
      confirm,
    })
    expect(accepted).toBe(expected)
    expect(errors).toBe(
      'en_US-joe-medium has the license: CC0\n  stated at https://collection.example/card\n  made from: lessac\n',
    )
  })

  test('explains a failure line by line and ends with 1', async () => {
    const failing = async () => {
      throw new InstallError('unusable', 'short', { lines: ['one', 'two'] })
    }
    const { models } = installing(failing)
    expect(await run(`models install ${joe.name}`, { openModels: async () => models })).toMatchObject({
      exitCode: 1,
      output: '',
      errors: 'error: one\nerror: two\n',
    })
  })
})

import type { TrialReport } from '@parlance/engine-sherpa-onnx'
import type { FoundFolder } from '@parlance/models'
import type { InstallRecord } from '@parlance/models/install'
import { createFakeModelTools, joe } from './fake-model-tools.js'
import { createFakeServices } from './fake-services.js'

const { run } = createFakeServices()

const speaker = { id: 0, displayName: 'Amy', description: '', languages: ['en-US', 'en'], gender: 'female', tags: [] }
const model = {
  name: 'piper-en_US-amy-low',
  displayName: 'Amy',
  kind: 'vits',
  files: { model: '', tokens: '', lexicons: [], rules: [], ruleArchives: [] },
  sampleRateHz: 16_000,
  speakers: [speaker],
  speakerCount: 1,
  languages: speaker.languages,
  license: 'MIT',
  creditPer1kCharacters: undefined,
  speaksLexiconOnly: false,
  sizeBytes: 63_201_294,
}
const good = { name: model.name, path: `/srv/${model.name}`, purpose: 'speech', reading: { model } }
const recognizer = {
  name: 'zipformer-en',
  path: '/srv/zipformer-en',
  purpose: 'recognition',
  reading: {
    model: {
      name: 'zipformer-en',
      displayName: 'Zipformer',
      languages: ['en'],
      license: 'MIT',
      tokens: '',
      files: { kind: 'streaming-transducer' },
      chunkMs: 450,
      writesCapitals: false,
      sizeBytes: 71_000_000,
    },
  },
}
const bad = {
  name: 'cut-off',
  path: '/srv/cut-off',
  purpose: 'speech',
  reading: { problems: ['model.onnx is cut off', 'tokens.txt is empty'] },
}
const report = { loadMs: 912, speakMs: 200, audioMs: 2400, memoryMegabytes: 140 }
const withModels = (found: unknown[], outcome: unknown = report, asked: unknown[] = []) => ({
  openModels: async () =>
    createFakeModelTools({
      findModels: async (modelsDir) => {
        asked.push(modelsDir)
        return found as FoundFolder[]
      },
      measureModel: async (...args) => {
        asked.push(args)
        return { report: outcome as TrialReport, threads: 1 }
      },
    }),
})

test('list shows what was found, and ends with 2 and the reason when a folder was refused', async () => {
  const asked: unknown[] = []
  const all = withModels([bad, good], report, asked)
  const { exitCode, output, errors } = await run('models list --models-dir /srv', { ...all, width: undefined })
  expect({ exitCode, errors, asked }).toEqual({ exitCode: 2, errors: '', asked: ['/srv'] })
  expect(output).toMatch(/^piper-en_US-amy-low +vits +1 +63 MB +– +en-US, en$/m)
  expect(output).toMatch(/^cut-off +– +– +– +– +Refused: model\.onnx is cut off\. tokens\.txt is empty\.$/m)
  expect(output).toMatch(/^1 of 2 cannot be used\.$/m)
  expect((await run('models list', withModels([good]))).exitCode).toBe(0)
})

test('verify loads those that are models, one after the other, and shows its progress', async () => {
  const asked: unknown[] = []
  const progress: string[] = []
  const environment = { ...withModels([bad, good], report, asked), progress: (text: string) => progress.push(text) }
  const { exitCode, output } = await run('models verify --threads 3', { ...environment, width: undefined })
  expect({ exitCode, asked }).toEqual({ exitCode: 2, asked: ['models', [good.path, 3]] })
  expect(progress).toEqual(['Loading cut-off, 1 of 2 …', 'Loading piper-en_US-amy-low, 2 of 2 …'])
  expect(output).toMatch(/Loaded in 0\.9 s, speaks 12\.0 times as fast as real time with a thread, takes 140 MB\.$/m)
})

test.each([
  [1600, 1.6, false, 0],
  [1400, 1.4, false, 1],
  [900, 0.9, true, 1],
])(
  'verify warns of a model that produces %d ms of speech in a second',
  async (audioMs, timesRealTime, slow, warnings) => {
    const models = withModels([good], { ...report, speakMs: 1000, audioMs })
    const { exitCode, output } = await run('models verify --json', models)
    const [model] = JSON.parse(output).models
    expect({ exitCode, ...model }).toMatchObject({ exitCode: 0, times_real_time: timesRealTime, threads: 1, slow })
    expect(model.warnings).toHaveLength(warnings)
    const text = (await run('models verify', { ...models, width: undefined })).output
    expect(/speech (has|may have) gaps/.test(text)).toBe(warnings > 0)
  },
)

test('list shows how fast a model was when it was installed, and which are slow', async () => {
  const withSpeed = (times_real_time: number) => ({
    ...good,
    reading: { model: { ...good.reading.model, speed: { threads: 2, times_real_time, cores: 2, measured_at: '' } } },
  })
  const listed = async (timesRealTime: number) =>
    (await run('models list', { ...withModels([withSpeed(timesRealTime)]), width: undefined })).output
  expect(await listed(8.26)).toMatch(/^piper-en_US-amy-low +vits +1 +63 MB +8\.3 × +en-US, en$/m)
  expect(await listed(0.41)).toMatch(/^piper-en_US-amy-low +vits +1 +63 MB +0\.4 ×, slow +en-US, en$/m)
  const json = await run('models list --json', withModels([withSpeed(0.41)]))
  expect(JSON.parse(json.output).models[0]).toMatchObject({ times_real_time: 0.41, threads: 2, slow: true })
})

test.each(['install en_US-joe-medium --accept-license', 'import ./joe.onnx'])(
  '%s measures the model before it is installed',
  async (command) => {
    const measured: string[] = []
    const measure = async (options: { measure?: ((folder: string) => Promise<void>) | undefined }) =>
      options.measure?.('/staging')
    const models = createFakeModelTools({
      measureSpeechModel: async (folder) => void measured.push(folder),
      install: async ({ name }, _catalog, options) => {
        await measure(options)
        return { name, folder: '', license: 'CC0', files: [], sizeBytes: 0 }
      },
      importModels: async (_path, options) => {
        await measure(options)
        return []
      },
    })
    expect(await run(`models ${command}`, { openModels: async () => models })).toMatchObject({ exitCode: 0 })
    expect(measured).toEqual(['/staging'])
  },
)

test('verify ends with 2 when a model does not speak, and names the reason for people and for scripts', async () => {
  const failing = withModels([good], { problems: ['The model produces only silence'] })
  const { exitCode, output } = await run('models verify', { ...failing, width: undefined })
  expect({ exitCode, output }).toEqual({
    exitCode: 2,
    output: expect.stringContaining('Refused: The model produces only silence.'),
  })
  const json = await run('models verify --json', failing)
  expect(json.exitCode).toBe(2)
  expect(JSON.parse(json.output)).toEqual({
    models: [
      {
        name: 'piper-en_US-amy-low',
        kind: 'tts',
        architecture: 'vits',
        catalogue_name: null,
        files: [],
        display_name: 'Amy',
        languages: ['en-US', 'en'],
        speakers: [{ id: 0, display_name: 'Amy', languages: ['en-US', 'en'], gender: 'female' }],
        sample_rate: 16_000,
        size_bytes: 63_201_294,
        license: 'MIT',
        problems: ['The model produces only silence'],
      },
    ],
  })
})

test('recognizers are listed and verified beside models that speak', async () => {
  const recognitionReport = { loadMs: 300, recognitionMs: 100, audioMs: 3000, memoryMegabytes: 210 }
  const all = { ...withModels([recognizer, good], recognitionReport), width: undefined }
  const { exitCode, output } = await run('models list', all)
  expect(exitCode).toBe(0)
  expect(output).toMatch(/^zipformer-en +streaming-transducer +– +71 MB +– +en$/m)
  const { output: verified } = await run('models verify zipformer-en', all)
  expect(verified).toMatch(/Loaded in 0\.3 s, recognizes speech 30\.0 times as fast as real time, takes 210 MB\.$/m)
  expect(JSON.parse((await run('models verify zipformer-en --json', all)).output).models).toEqual([
    {
      name: 'zipformer-en',
      kind: 'stt',
      architecture: 'streaming-transducer',
      catalogue_name: null,
      files: [],
      display_name: 'Zipformer',
      languages: ['en'],
      size_bytes: 71_000_000,
      license: 'MIT',
      problems: [],
      load_ms: 300,
      hear_ms: 100,
      audio_ms: 3000,
      memory_mb: 210,
    },
  ])
})

test('verify accepts the name of one model', async () => {
  const asked: unknown[] = []
  const { exitCode } = await run(`models verify ${good.name}`, withModels([bad, good], report, asked))
  expect({ exitCode, asked }).toEqual({ exitCode: 0, asked: ['models', [good.path, undefined]] })
  expect(await run('models verify nothing', withModels([good]))).toMatchObject({
    exitCode: 1,
    errors: 'error: There is no folder nothing in models: `parlance models list` shows all folders.\n',
  })
})

describe('installed models', () => {
  const record: InstallRecord = {
    catalogue_name: joe.name,
    license: 'CC0',
    installed_at: '2026-01-31T09:30:00.000Z',
    files: [{ url: joe.files[0]!.url, size_bytes: 63_201_294, sha256: 'b'.repeat(64) }],
    content: [],
  }
  const folder = { ...good, name: joe.name, path: `/srv/${joe.name}` } as unknown as FoundFolder

  test('are listed with the files that they came from', async () => {
    const models = createFakeModelTools({ findModels: async () => [folder], readRecord: async () => record })
    const { output } = await run('models list --json', { openModels: async () => models })
    expect(JSON.parse(output).models).toEqual([
      expect.objectContaining({ kind: 'tts', catalogue_name: joe.name, files: record.files }),
    ])
  })

  test('are listed with the reason why they could not be opened, and the exit code is 2', async () => {
    const models = createFakeModelTools({
      findModels: async () => [folder],
      describeFailure: async (path) => `${path}: too little memory`,
    })
    expect(await run('models list', { openModels: async () => models })).toMatchObject({
      exitCode: 2,
      output: expect.stringMatching(/too little memory/),
    })
    const { output } = await run('models list --json', { openModels: async () => models })
    expect(JSON.parse(output).models[0].problems).toEqual([`${folder.path}: too little memory`])
  })

  test('do not pass verify when a file was changed', async () => {
    const models = createFakeModelTools({
      findModels: async () => [folder],
      readRecord: async () => record,
      measureModel: async () => ({ report, threads: 1 }),
      findChangedFiles: async () => ['tokens.txt was changed since the model was installed'],
    })
    expect(await run('models verify', { openModels: async () => models })).toMatchObject({
      exitCode: 2,
      output: expect.stringMatching(/tokens\.txt was changed/),
    })
  })

  test.each([
    ['whose files are those of the catalog', record, false],
    [
      'whose files the catalog has replaced',
      { ...record, files: [{ ...record.files[0]!, sha256: 'c'.repeat(64) }] },
      true,
    ],
    ['that was installed by hand', undefined, false],
  ])('update: one %s', async (_which, ownRecord, updated) => {
    const asked: unknown[] = []
    const models = createFakeModelTools({
      findModels: async () => [folder],
      readRecord: async () => ownRecord,
      install: async (model, _catalog, { replace }) => {
        asked.push([model.name, replace])
        return { name: model.name, folder: '', license: 'CC0', files: [], sizeBytes: 0 }
      },
    })
    const { output } = await run('models update --json', { openModels: async () => models })
    expect(JSON.parse(output)).toEqual({ models: [{ name: joe.name, updated }] })
    expect(asked).toEqual(updated ? [[joe.name, true]] : [])
  })
})

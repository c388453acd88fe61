import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const libs = (...names: string[]) => names.map((name) => `libs/${name}`)

/** What each package may import of the others. What is not here may import nothing. */
const mayImport: Record<string, string[]> = {
  'libs/contracts': [],
  'libs/flow': [],
  'libs/engine-protocol': [],
  'libs/engine-host': libs('engine-protocol'),
  'libs/speech-models': libs('engine-protocol'),
  'libs/word-times': libs('engine-protocol'),
  'libs/audio': libs('contracts'),
  'libs/encoding': libs('contracts', 'audio'),
  'libs/speech': libs('contracts', 'audio', 'flow'),
  'libs/bus': libs('contracts', 'flow'),
  'libs/store': libs('contracts'),
  'libs/telemetry': libs('contracts'),
  'libs/engine-client': libs('engine-protocol', 'telemetry'),
  'libs/api-key': libs('contracts', 'bus', 'store'),
  'libs/credit': libs('contracts', 'bus', 'store', 'telemetry'),
  'libs/speech-client': libs('contracts', 'bus', 'credit', 'flow', 'speech'),
  'libs/session-registry': libs('contracts', 'store'),
  'libs/runtime': libs('contracts', 'bus', 'store', 'telemetry'),
  'libs/installation': libs('runtime'),
  'libs/outbound': [],
  // Browsers load these: they know the API as anybody else does.
  'libs/client': [],
  'libs/avatar': [],
  'libs/react': libs('client', 'avatar'),
  'libs/avatar-models': [],
  'libs/testing': libs('store'),
  // GPL: it is only ever started as a process of its own, so nothing imports it and it imports next to nothing.
  'engines/espeak-ng': libs('engine-protocol', 'engine-host'),
  'engines/flite': libs('engine-protocol', 'engine-host'),
  'engines/sherpa-onnx': libs('engine-protocol', 'engine-host', 'speech-models', 'word-times'),
  'engines/pocketsphinx': libs('engine-protocol', 'engine-host'),
  'services/auth': libs('contracts', 'bus', 'store', 'telemetry', 'runtime', 'api-key'),
  'services/agents': libs('contracts', 'bus', 'store', 'runtime'),
  'services/tokens': libs('contracts', 'bus', 'store', 'telemetry', 'runtime', 'api-key', 'credit'),
  'services/catalog': libs('contracts', 'bus', 'telemetry', 'runtime', 'avatar-models'),
  'services/end-users': libs('contracts', 'bus', 'store', 'telemetry', 'runtime'),
  'services/tts': [
    ...libs(
      'contracts',
      'bus',
      'store',
      'telemetry',
      'runtime',
      'audio',
      'encoding',
      'speech',
      'engine-client',
      'engine-protocol',
      'speech-models',
      'word-times',
    ),
    'engines/sherpa-onnx',
  ],
  'services/sessions': [
    ...libs(
      'contracts',
      'api-key',
      'bus',
      'flow',
      'store',
      'telemetry',
      'runtime',
      'audio',
      'encoding',
      'credit',
      'speech',
      'speech-client',
      'speech-models',
      'session-registry',
      'engine-client',
      'engine-protocol',
      'outbound',
    ),
    ...['engines/pocketsphinx', 'engines/sherpa-onnx'],
  ],
  'services/gateway': libs(
    'contracts',
    'bus',
    'flow',
    'store',
    'telemetry',
    'runtime',
    'audio',
    'api-key',
    'credit',
    'speech',
    'speech-client',
    'session-registry',
    'avatar-models',
  ),
  'services/standalone': [
    ...libs('contracts', 'bus', 'runtime', 'installation'),
    ...[
      'services/agents',
      'services/auth',
      'services/catalog',
      'services/end-users',
      'services/gateway',
      'services/sessions',
      'services/tokens',
      'services/tts',
    ],
  ],
  cli: [
    ...libs('contracts', 'bus', 'store', 'telemetry', 'runtime', 'installation', 'outbound', 'speech-models'),
    ...[
      'engines/sherpa-onnx',
      'services/agents',
      'services/auth',
      'services/end-users',
      'services/sessions',
      'services/tokens',
    ],
  ],
}

/** Packages that browsers run. */
const withoutNode = libs('contracts', 'audio', 'speech', 'client', 'avatar', 'react')

const packages = [
  ...['libs', 'engines', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
  'cli',
]

const folderOfPackage = new Map(
  packages.map((folder) => [JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name, folder]),
)

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(root, folder, 'src', file))

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?<!['.])\b(?:from\s+|import\s*\(?\s*)'([^'\s]+)'/g)].map(
    ([, name]) => name!,
  )

describe.each(packages)('%s', (folder) => {
  const imports = sourcesOf(folder).flatMap((file) => importsOf(file).map((name) => ({ file, name })))
  const said = ({ file, name }: { file: string; name: string }) => `${relative(root, file)} imports ${name}`

  test('imports only the packages its layer may', () => {
    const allowed = mayImport[folder] ?? []
    const wrong = imports.filter(({ name }) => {
      if (!name.startsWith('@parlance/')) return false
      const target = folderOfPackage.get(name.split('/').slice(0, 2).join('/'))
      return target === undefined || !allowed.includes(target)
    })
    expect(wrong.map(said)).toEqual([])
  })

  test('reaches no file outside of itself', () => {
    const wrong = imports.filter(
      ({ file, name }) =>
        name.startsWith('.') && relative(join(root, folder), resolve(dirname(file), name)).startsWith('..'),
    )
    expect(wrong.map(said)).toEqual([])
  })

  test('declares every package it imports', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    )
    const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    const wrong = imports.filter(({ name }) => {
      if (name.startsWith('.') || name.startsWith('node:')) return false
      const parts = name.split('/')
      return !declared.includes(name.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!)
    })
    expect(wrong.map(said)).toEqual([])
  })

  if (withoutNode.includes(folder)) {
    test('runs in a browser', () => {
      expect(imports.filter(({ name }) => name.startsWith('node:')).map(said)).toEqual([])
    })
  }

  if (folder.startsWith('services/') || folder === 'cli') {
    test('reads the environment only where it is parsed', () => {
      const wrong = sourcesOf(folder).filter(
        (file) => !/\/(env|main)\.ts$/.test(file) && readFileSync(file, 'utf8').includes('process.env'),
      )
      expect(wrong.map((file) => relative(root, file))).toEqual([])
    })
  }
})

test('a service is known to others by its service object alone', () => {
  for (const folder of packages.filter(
    (folder) => folder.startsWith('services/') && folder !== 'services/standalone',
  )) {
    const index = readFileSync(join(root, folder, 'src/index.ts'), 'utf8')
      .trim()
      .split('\n')
    expect(index).toEqual([expect.stringMatching(/^export \{ \w+ \} from '\.\/service\.js'$/)])
  }
})

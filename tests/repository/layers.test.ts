import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { services } from '@parlance/service-standalone'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The packages that each package may import, without `@parlance/`. A package with rooms is imported by room:
 * `clients/credit`. A package that is not here may import nothing, unless it is a service.
 */
const mayImport: Record<string, string[]> = {
  'libs/contracts': [],
  'libs/async': [],
  // Also for the dashboard, so it imports what browsers can load.
  'libs/agent-tests': ['contracts'],
  'libs/bus': ['contracts', 'async', 'async/push-stream'],
  'libs/store': ['contracts', 'async'],
  'libs/telemetry': ['contracts', 'async'],
  'libs/runtime': ['contracts', 'async', 'bus', 'store', 'telemetry'],
  'libs/speech': ['contracts', 'async', 'async/push-stream', 'audio', 'engine/protocol'],
  'libs/clients': ['contracts', 'async', 'async/push-stream', 'bus', 'speech', 'store', 'telemetry'],
  'libs/audio': ['contracts'],
  'libs/models': ['contracts', 'async', 'engine/protocol'],
  'libs/engine': ['async', 'telemetry'],
  'libs/egress': ['contracts'],
  'libs/testing': ['contracts', 'audio', 'bus', 'store'],
  // Browsers load these five, which use the public API, and the dashboard what it shares with the command line.
  'web/client': [],
  'web/avatar': [],
  'web/react': ['client', 'avatar'],
  'web/widget': ['client', 'react/styles.css', 'avatar'],
  'web/dashboard': ['agent-tests', 'client', 'client/speech', 'react', 'react/styles.css', 'avatar'],
  // What servers of customers use: the public API and nothing else.
  'sdks/node': [],
  'tools/avatar-generator': ['models/avatars'],
  // GPL: it runs only as a process of its own, so no package imports it and it imports only the engines' protocol.
  'engines/espeak-ng': ['engine/protocol', 'engine/host'],
  'engines/flite': ['engine/protocol', 'engine/host', 'speech/sentences'],
  'engines/sherpa-onnx': [
    ...['async', 'engine/protocol', 'engine/host', 'engine/client', 'models', 'audio', 'speech/sentences'],
    'speech/word-times',
  ],
  'engines/pocketsphinx': ['engine/protocol', 'engine/host'],
  'engines/smart-turn': ['engine/protocol', 'engine/host', 'engine/client'],
  // Every service may import every library but `testing`. These two also start engines.
  'services/tts': ['engine-sherpa-onnx'],
  'services/sessions': ['engine-pocketsphinx', 'engine-sherpa-onnx', 'engine-smart-turn'],
  'services/standalone': ['engine-sherpa-onnx', ...services.map(({ name }) => `service-${name}`)],
  // It is published, so it has no service, no store and no engine.
  cli: [
    ...['agent-tests', 'contracts', 'async', 'audio', 'audio/encoding', 'bus', 'egress'],
    ...['runtime/installation', 'runtime/nats', 'runtime/process'],
  ],
  admin: [
    ...['cli', 'contracts', 'async', 'async/push-stream', 'bus', 'store', 'telemetry', 'egress'],
    ...['models', 'models/install', 'runtime', 'runtime/installation', 'runtime/nats', 'runtime/process'],
    ...['engine-sherpa-onnx', 'engine-smart-turn'],
    ...['service-auth', 'service-sessions/ice-servers', 'service-standalone', 'service-tokens'],
  ],
}

/**
 * The rooms of a package that each room may import values from; types may come from any room. Files beside the rooms
 * compose them.
 */
const roomMayImport: Record<string, Record<string, string[]>> = {
  'libs/clients': {
    ...{ 'api-key': [], credit: [], outbox: [], 'session-registry': [], speech: ['credit'] },
    ...{ 'model-keys': ['api-key', 'sealing'], sealing: ['api-key'] },
  },
  'libs/engine': { protocol: [], host: ['protocol'], client: ['protocol'] },
  'libs/models': {
    install: ['folder', 'import'],
    import: ['folder', 'onnx', 'recognition'],
    recognition: ['onnx'],
    ...{ avatars: [], folder: [], onnx: [], watch: [] },
  },
  'services/gateway': {
    routes: [
      ...['authentication', 'http', 'idempotency', 'openapi', 'realtime', 'session-socket', 'stream', 'synthesis'],
      ...['transcription', 'websocket'],
    ],
    openapi: ['authentication', 'compat', 'http', 'idempotency', 'session-socket', 'stream'],
    stream: ['authentication', 'http', 'transcription', 'websocket'],
    'session-socket': ['authentication', 'http', 'websocket'],
    websocket: ['http'],
    synthesis: ['authentication', 'http'],
    transcription: ['http'],
    idempotency: ['authentication', 'http'],
    http: ['authentication', 'compat'],
    authentication: ['compat', 'http'],
    // The protocols of vendors, and what their clients send and read.
    compat: ['authentication', 'http'],
    realtime: ['authentication', 'http', 'openapi', 'routes', 'session-socket', 'stream', 'websocket'],
    'compat/deepgram': ['authentication', 'compat', 'http', 'openapi', 'routes', 'stream', 'synthesis', 'websocket'],
    'compat/elevenlabs': ['authentication', 'compat', 'http', 'openapi', 'routes', 'stream', 'synthesis', 'websocket'],
    'compat/cartesia': ['authentication', 'compat', 'http', 'openapi', 'routes', 'stream', 'synthesis', 'websocket'],
    'compat/jambonz': ['authentication', 'compat', 'http', 'openapi', 'routes', 'stream', 'synthesis', 'websocket'],
    telephony: ['authentication', 'http', 'routes', 'session-socket', 'stream', 'websocket'],
    wyoming: ['http', 'routes', 'stream'],
  },
  'services/sessions': {
    start: [
      ...['conversation', 'llm', 'media', 'memory', 'realtime', 'recording', 'records', 'stt', 'tools'],
      'turn-detector',
    ],
    realtime: ['media'],
    conversation: ['conversation/turn', 'llm', 'media', 'tools', 'turn-detector'],
    // The reducer of turns and what it consists of.
    'conversation/turn': [],
    'turn-detector': ['media'],
    ...{ media: [], stt: [], llm: [] },
    tools: ['llm'],
    analysis: ['llm', 'tools'],
    memory: ['llm'],
    records: ['media', 'recording'],
    recording: ['media'],
    transcription: ['media', 'turn-detector'],
  },
}

/** Packages that import no module of Node. Browsers load those of `web/`. */
const withoutNode = [
  'libs/contracts',
  'libs/async',
  'libs/agent-tests',
  'web/client',
  'web/avatar',
  'web/react',
  'web/widget',
  'web/dashboard',
]

const packages = [
  ...['libs', 'web', 'sdks', 'tools', 'engines', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .map((name) => `${folder}/${name}`)
      // The package of Python and the site of the documentation have no TypeScript.
      .filter((path) => existsSync(join(root, path, 'tsconfig.json'))),
  ),
  'admin',
  'cli',
]

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(root, folder, 'src', file))

/** Test files may import the test tools of the whole repository, and the dependencies of their package. */
const testTools = ['fast-check', 'vitest']

const testsOf = (folder: string, name = 'test'): string[] => {
  const path = join(root, folder, name)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(path, file))
}

interface Import {
  readonly file: string
  readonly name: string
  /** It imports types alone, which are gone at run time. */
  readonly isType: boolean
}

const importStatement = /(import type [^;'"]*|(?<!['.])\b)(?:from\s+|import\s*\(?\s*)'([\w@.][\w@./:-]*)'/g

const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(importStatement)].map(([, start = '', name = '']) => ({
    file,
    name,
    isType: start.startsWith('import type'),
  }))

interface Manifest {
  readonly name: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

const runtimeDependenciesOf = (folder: string): string[] => {
  const { dependencies, optionalDependencies, peerDependencies } = manifestOf(folder)
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
}

/** `@scope/name/path` → `@scope/name`, `name/path` → `name`. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

describe.each(packages)('%s', (folder) => {
  const imports = sourcesOf(folder).flatMap(importsOf)
  const importedBy = ({ file, name }: { file: string; name: string }) => `${relative(root, file)} imports ${name}`

  test('imports only the packages its layer may', () => {
    const libraries = folder.startsWith('services/') ? readdirSync(join(root, 'libs')) : []
    const mayBeImported = (name: string): boolean =>
      mayImport[folder]?.includes(name) || (libraries.includes(name.split('/', 1)[0]!) && packageOf(name) !== 'testing')
    const wrong = imports.filter(
      ({ name }) => name.startsWith('@parlance/') && !mayBeImported(name.slice('@parlance/'.length)),
    )
    expect(wrong.map(importedBy)).toEqual([])
  })

  test('reaches no file outside of itself', () => {
    const wrong = imports.filter(
      ({ file, name }) =>
        name.startsWith('.') && relative(join(root, folder), resolve(dirname(file), name)).startsWith('..'),
    )
    expect(wrong.map(importedBy)).toEqual([])
  })

  const rooms = roomMayImport[folder]
  if (rooms !== undefined) {
    const roomOf = (path: string): string | undefined => {
      const [room, ...inner] = relative(join(root, folder, 'src'), path).split('/')
      const innerRoom = `${room}/${inner[0]}`
      return inner.length === 0 ? undefined : innerRoom in rooms ? innerRoom : room
    }

    test('has exactly the rooms that are listed', () => {
      const found = new Set(sourcesOf(folder).flatMap((file) => roomOf(file) ?? []))
      expect([...found].sort()).toEqual(Object.keys(rooms).sort())
    })

    test('imports values only of the rooms that its room may', () => {
      const wrong = imports.filter(({ file, name, isType }) => {
        const from = roomOf(file)
        const to = name.startsWith('.') ? roomOf(resolve(dirname(file), name)) : undefined
        return !isType && from !== undefined && to !== undefined && to !== from && !rooms[from]?.includes(to)
      })
      expect(wrong.map(importedBy)).toEqual([])
    })
  }

  test('declares every package it imports', () => {
    const declared = runtimeDependenciesOf(folder)
    const wrong = imports.filter(
      ({ name }) => !name.startsWith('.') && !name.startsWith('node:') && !declared.includes(packageOf(name)),
    )
    expect(wrong.map(importedBy)).toEqual([])
  })

  describe('its tests', () => {
    const testImports = testsOf(folder).flatMap(importsOf)
    const { name: ownName, devDependencies } = manifestOf(folder)
    const allowed = [ownName, ...runtimeDependenciesOf(folder), ...Object.keys(devDependencies ?? {}), ...testTools]

    test('reach no file outside of the package', () => {
      const wrong = testImports.filter(
        ({ file, name }) =>
          name.startsWith('.') && relative(join(root, folder), resolve(dirname(file), name)).startsWith('..'),
      )
      expect(wrong.map(importedBy)).toEqual([])
    })

    test('import only packages that the package declares, and itself', () => {
      const wrong = testImports.filter(({ name }) => {
        return !name.startsWith('.') && !name.startsWith('node:') && !allowed.includes(packageOf(name))
      })
      expect(wrong.map(importedBy)).toEqual([])
    })
  })

  if (withoutNode.includes(folder)) {
    test('imports no module of Node', () => {
      expect(imports.filter(({ name }) => name.startsWith('node:')).map(importedBy)).toEqual([])
    })
  }

  if (folder.startsWith('services/') || folder === 'cli' || folder === 'admin') {
    test('reads the environment only where it is parsed', () => {
      const wrong = sourcesOf(folder).filter(
        (file) => !/\/(env|main|run-process)\.ts$/.test(file) && readFileSync(file, 'utf8').includes('process.env'),
      )
      expect(wrong.map((file) => relative(root, file))).toEqual([])
    })
  }
})

test('a service is known to others by its service object alone', () => {
  for (const { name } of services) {
    const index = readFileSync(join(root, 'services', name, 'src/index.ts'), 'utf8')
      .trim()
      .split('\n')
    expect(index).toEqual([expect.stringMatching(/^export \{ \w+ \} from '\.\/service\.js'$/)])
  }
})

// The suites of a worker share the modules that they import, so only the first of them would get such a hook.
test('no module that suites share registers a hook when it is imported', () => {
  const files = [...packages.flatMap((folder) => testsOf(folder)), ...testsOf('.', 'tests')]
  const shared = files.filter((file) => !file.endsWith('.test.ts'))
  expect(shared.length).toBeGreaterThan(100)
  const wrong = shared.filter((file) => /^(before|after)(Each|All)\(/m.test(readFileSync(file, 'utf8')))
  expect(wrong.map((file) => relative(root, file))).toEqual([])
})

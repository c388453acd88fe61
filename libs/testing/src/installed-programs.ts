import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const programNames = [
  'nats',
  'redis',
  'postgres',
  'ffmpeg',
  'chromium',
  'firefox',
  'espeak-ng',
  'flite',
  'pocketsphinx',
  'prometheus',
] as const
export type ProgramName = (typeof programNames)[number]

const executable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// Debian keeps servers in folders that an ordinary user's PATH leaves out.
const searchFolders = (): string[] => [
  ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  '/usr/sbin',
  '/usr/local/sbin',
]

/** The path of an installed program; undefined when none of the folders has it. */
export const findBinary = (name: string, folders = searchFolders()): string | undefined =>
  folders.map((folder) => join(folder, name)).find(executable)

/** Debian has Firefox under the name of its releases with extended support. */
export const findFirefox = (): string | undefined => findBinary('firefox-esr') ?? findBinary('firefox')

/** The folders that may hold Postgres binaries, newest version first. */
const postgresFolders = (): string[] => {
  const root = '/usr/lib/postgresql'
  let versions: string[] = []
  try {
    versions = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  } catch {
    // This is not Debian, so only the PATH is searched.
  }
  return [...versions.map((version) => join(root, version, 'bin')), ...searchFolders()]
}

/** The folder of `postgres`, `initdb`, `pg_dump` and the like; undefined where Postgres is not installed. */
export const findPostgresFolder = (): string | undefined =>
  postgresFolders().find((folder) => executable(join(folder, 'initdb')) && executable(join(folder, 'postgres')))

/** A shared library, in one of the folders where Debian and others keep them. */
export const findLibrary = (fileName: string): string | undefined => {
  const roots = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
  const folders = roots.flatMap((root) => {
    try {
      const inside = readdirSync(root, { withFileTypes: true })
      return [root, ...inside.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name))]
    } catch {
      return []
    }
  })
  return folders.map((folder) => join(folder, fileName)).find((path) => existsSync(path))
}

/** The folder of eSpeak NG's data, where Debian and others keep it. */
export const findEspeakData = (): string | undefined => {
  const library = findLibrary('libespeak-ng.so.1')
  const folders = ['/usr/share', ...(library === undefined ? [] : [dirname(library)])]
  return folders.map((folder) => join(folder, 'espeak-ng-data')).find((path) => existsSync(join(path, 'phontab')))
}

/** The installed programs and libraries that tests use: servers, ffmpeg, a browser, speech libraries. */
export const availablePrograms = (): Set<ProgramName> => {
  const found = {
    nats: findBinary('nats-server'),
    redis: findBinary('redis-server'),
    postgres: findPostgresFolder(),
    ffmpeg: findBinary('ffmpeg'),
    chromium: findBinary('chromium'),
    firefox: findFirefox(),
    'espeak-ng': findLibrary('libespeak-ng.so.1'),
    flite: findLibrary('libflite.so.1'),
    pocketsphinx: existsSync('/usr/share/pocketsphinx/model/en-us') ? findLibrary('libpocketsphinx.so.3') : undefined,
    prometheus: findBinary('promtool') && findBinary('prometheus'),
  }
  return new Set(programNames.filter((name) => found[name] !== undefined))
}

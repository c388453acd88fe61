import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface LockedPackage {
  version?: string
  license?: string
  link?: true
  dev?: true
  devOptional?: true
}

const locked = Object.entries(
  (JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> }).packages,
)

/**
 * Better Auth may use vitest, an optional peer, which only the tests install. So the lock file does not mark the compiled parts of
 * what vitest needs as `dev`.
 */
const ofVitest = /^node_modules\/(lightningcss|@rolldown\/binding)-/

/** The third-party packages that are installed, for all platforms. */
const dependencies = locked
  .filter(([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link)
  .filter(([path]) => !ofVitest.test(path))
  .map(([path, { license }]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    folder: join(root, path),
    lockedLicense: license,
  }))
const ourOwn = locked.filter(([path]) => path !== '' && !path.includes('node_modules/'))

/** These licenses require only that their text is distributed, which each package does. The Unlicense and 0BSD require nothing. */
const allowed: ReadonlySet<string> = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'Unlicense', '0BSD'],
])

const notice = read('NOTICE')
const words = notice.split(/[\s,():]+/).map((word) => word.replace(/[.;]$/, ''))

/** A name in NOTICE that ends with an asterisk matches all names with this prefix. */
const isNamed = (name: string): boolean =>
  words.some((word) => (word.endsWith('*') ? word.length > 1 && name.startsWith(word.slice(0, -1)) : word === name))

/** The license field of an installed package. The lock file has a copy of it for all platforms. */
const licenseOf = ({ folder, lockedLicense }: (typeof dependencies)[number]): string | undefined => {
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).license : lockedLicense
}

/** Of alternative licenses (OR) one must be allowed, of combined licenses (AND) all. */
const isAllowed = (license: string | undefined): boolean =>
  (license ?? '')
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => allowed.has(part)))

test('every dependency has a license that is allowed, or is named in NOTICE', () => {
  expect(dependencies.length).toBeGreaterThan(100)
  const unexplained = dependencies
    .filter((dependency) => !isAllowed(licenseOf(dependency)) && !isNamed(dependency.name))
    .map((dependency) => `${dependency.name}: ${licenseOf(dependency)}`)
  expect(unexplained).toEqual([])
})

test('every dependency with compiled code or a model, which may contain third-party work, is named in NOTICE', () => {
  const isBinary = (file: string) =>
    !file.includes('node_modules/') && /\.(wasm|node|so|dll|dylib|exe|onnx)(\.[\d.]+)?$/.test(file)
  const unexplained = dependencies
    .filter(({ name, folder }) => !isNamed(name) && existsSync(folder))
    .filter(({ folder }) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(isBinary))
    .map(({ name }) => name)
  expect(unexplained).toEqual([])
})

test('every npm package in NOTICE is a dependency', () => {
  const names = new Set(dependencies.map(({ name }) => name))
  const claimed = [...notice.matchAll(/npm\s+package\s+([@\w/.-]*\w)/g)].map(([, name]) => name!)
  expect(claimed.length).toBeGreaterThan(5)
  expect(claimed.filter((name) => !names.has(name))).toEqual([])
})

test('only the engine that is a process of its own is under the GPL, and its text is there', () => {
  const underGpl = ourOwn.filter(([, { license }]) => license !== 'Apache-2.0')
  expect(underGpl.map(([path, { license }]) => [path, license])).toEqual([['engines/espeak-ng', 'GPL-3.0-or-later']])
  expect(read('engines/espeak-ng/LICENSE')).toMatch(/GNU GENERAL PUBLIC LICENSE\s+Version 3/)
  expect(read('LICENSE')).toMatch(/Apache License\s+Version 2\.0/)
})

test('the Docker image has LICENSE and NOTICE', () => {
  expect(read('deploy/docker/Dockerfile')).toMatch(/\bLICENSE NOTICE\b/)
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['!LICENSE', '!NOTICE']))
})

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const clients = join(root, 'libs/clients/src')

/** What a service does with the methods of contracts, each as `auth.verifyKey`. */
export interface UsedMethods {
  /** Calls, streams and events that it publishes. */
  readonly called: ReadonlySet<string>
  /** Events that it receives. */
  readonly subscribed: ReadonlySet<string>
}

/**
 * `@parlance/bus` with clients whose methods cannot be called: the compiler then names the method wherever one is used, through
 * any variables and parameters that the client passed.
 */
const uncallableBus = `
import type { Bus } from '${root}libs/bus/dist/index.js'
import type * as contracts from '@parlance/contracts'
import type { Contract } from '@parlance/contracts'
export * from '${root}libs/bus/dist/index.js'
declare const use: unique symbol
interface Use<Contract, Method, As> { readonly [use]: [Contract, Method, As] }
type Contracts = typeof contracts
type NameOf<C extends Contract> = {
  [K in keyof Contracts]: Contracts[K] extends Contract ? (C extends Contracts[K] ? K : never) : never
}[keyof Contracts]
type Uncallable<C extends Contract, M extends keyof C['methods']> = C['methods'][M] extends { kind: 'event' }
  ? { publish: Use<NameOf<C>, M, 'called'>; subscribe: Use<NameOf<C>, M, 'subscribed'> }
  : Use<NameOf<C>, M, 'called'>
type Methods<C extends Contract> = { [M in keyof C['methods']]: Uncallable<C, M> }
export type Client<C extends Contract> = Methods<C> & { raw: Methods<C> }
export declare const createClient: <C extends Contract>(bus: Bus, contract: C) => Client<C>
`

/** What the compiler reports about the services and `libs/clients` with uncallable clients. */
const compile = async (): Promise<string> => {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'parlance-methods-'))
  const options = {
    noEmit: true,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    paths: { '@parlance/bus': ['./bus.ts'], '@parlance/clients/*': [join(clients, '*/index.ts')] },
  }
  const include = [join(root, 'services/*/src/**/*.ts'), join(clients, '**/*.ts')]
  try {
    await writeFile(join(folder, 'bus.ts'), uncallableBus)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions: options, include }),
    )
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    return await new Promise((done) => {
      // Paths in the output are relative to this folder.
      const run = { cwd: root, maxBuffer: 2 ** 26 }
      execFile(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], run, (_error, stdout, stderr) =>
        done(stdout + stderr),
      )
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The uses in each file, as `auth verifyKey called`. */
const usesByFile = (output: string): Map<string, Set<string>> => {
  const uses = new Map<string, Set<string>>()
  let file = ''
  for (const line of output.split('\n')) {
    file = /^(\S+\.ts)\(\d+,\d+\)/.exec(line)?.[1] ?? file
    for (const [, contract = '', method, as] of line.matchAll(/Use<"(\w+)Contract", "(\w+)", "(\w+)">/g)) {
      const path = resolve(root, file)
      uses.set(path, (uses.get(path) ?? new Set()).add(`${contract} ${method} ${as}`))
    }
  }
  return uses
}

interface Import {
  readonly names: readonly string[]
  readonly from: string
}

/** What a file imports or passes on, without types. */
const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) \{([^}]*)\} from '([^']+)'/gm)].map(
    ([, names = '', from = '']) => ({
      names: names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type ')),
      from,
    }),
  )

const sourceOf = (file: string, from: string): string => join(dirname(file), from.replace(/\.js$/, '.ts'))

/** The files that export these names, and their imports: an index exports more than an importer needs. */
const closureOf = (file: string, wanted: readonly string[], found = new Set<string>()): Set<string> => {
  const isIndex = basename(file) === 'index.ts'
  if (!isIndex && found.has(file)) return found
  found.add(file)
  for (const { names, from } of importsOf(file)) {
    const needed = isIndex ? names.filter((name) => wanted.includes(name)) : names
    if (from.startsWith('.') && needed.length > 0) closureOf(sourceOf(file, from), needed, found)
  }
  return found
}

/** The files of `libs/clients` that a file of a service uses. */
const sharedFiles = (file: string): string[] =>
  importsOf(file).flatMap(({ names, from }) => {
    const [, entry] = /^@parlance\/clients\/(.+)$/.exec(from) ?? []
    return entry === undefined ? [] : [...closureOf(join(clients, entry, 'index.ts'), names)]
  })

/** What each of these services uses, by the types of its sources. */
export const readUsedMethods = async (services: readonly string[]): Promise<ReadonlyMap<string, UsedMethods>> => {
  const uses = usesByFile(await compile())
  return new Map(
    services.map((name) => {
      const folder = join(root, 'services', name, 'src')
      const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file))
      const all = [...own, ...own.flatMap(sharedFiles)].flatMap((file) => [...(uses.get(file) ?? [])])
      const those = (as: string) =>
        new Set(
          all
            .map((use) => use.split(' '))
            .filter(([, , kind]) => kind === as)
            .map(([contract, method]) => `${contract}.${method}`),
        )
      return [name, { called: those('called'), subscribed: those('subscribed') }]
    }),
  )
}

import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as contracts from '../../libs/contracts/dist/index.js'
import { services } from './variables.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const clients = join(root, 'libs/clients/src')

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
const compile = async () => {
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
const usesByFile = (output) => {
  const uses = new Map()
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

/** What a file imports or passes on, without types. */
const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) \{([^}]*)\} from '([^']+)'/gm)].map(
    ([, names = '', from = '']) => ({
      names: names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type ')),
      from,
    }),
  )

const sourceOf = (file, from) => join(dirname(file), from.replace(/\.js$/, '.ts'))

/** The files that export these names, and their imports: an index exports more than an importer needs. */
const closureOf = (file, wanted, found = new Set()) => {
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
const sharedFiles = (file) =>
  importsOf(file).flatMap(({ names, from }) => {
    const [, entry] = /^@parlance\/clients\/(.+)$/.exec(from) ?? []
    return entry === undefined ? [] : [...closureOf(join(clients, entry, 'index.ts'), names)]
  })

/** The name on the bus of a contract by the name under which it is exported, without `Contract`. */
const busNames = new Map(
  Object.entries(contracts)
    .filter(([name]) => name.endsWith('Contract'))
    .map(([name, contract]) => [name.slice(0, -'Contract'.length), contract.name]),
)

/** Methods that the version before called and this one does not: its pods still run while this one is installed. */
const formerly = {
  // gateway: [{ contract: 'auth', method: 'verifyKey' }]
}

const trafficOf = (service, uses) => {
  const folder = join(root, 'services', service, 'src')
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
  const serving = own.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bserve\([\w.]+, (\w+)Contract\b/g)])
  const serves = [...new Set(serving.map(([, contract]) => busNames.get(contract)))].sort()
  const used = new Set([...own, ...own.flatMap(sharedFiles)].flatMap((file) => [...(uses.get(file) ?? [])]))
  const those = (as) =>
    [...used]
      .map((use) => use.split(' '))
      .filter(([, , kind]) => kind === as)
      .map(([contract, method]) => ({ contract: busNames.get(contract), method }))
      .sort((one, other) => `${one.contract} ${one.method}`.localeCompare(`${other.contract} ${other.method}`))
  const calls = {}
  for (const { contract, method } of [...those('called'), ...(formerly[service] ?? [])]) {
    calls[contract] = [...(calls[contract] ?? []), method]
  }
  const listens = those('subscribed').filter(({ contract }) => !serves.includes(contract))
  return { serves, calls, listens: listens.map(({ contract, method }) => `${contract}.${method}`) }
}

const target = 'cli/src/nats/service-traffic.ts'

/** What each service does on the bus, by the types of its sources. */
export const serviceTraffic = async () => {
  const uses = usesByFile(await compile())
  if (uses.size === 0) throw new Error('The compiler found no use of a contract.')
  const traffic = Object.fromEntries(services.map(({ name }) => [name, trafficOf(name, uses)]))
  const text = `import type { Traffic } from './nats-permissions.js'

/** What each service does on the bus. Written by \`npm run generate\` from the sources of the services. */
export const serviceTraffic: Readonly<Record<string, Traffic>> = ${JSON.stringify(traffic)}
`
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  return {
    [target]: execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${target}`], {
      cwd: root,
      input: text,
      encoding: 'utf8',
    }),
  }
}

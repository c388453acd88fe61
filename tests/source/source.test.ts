import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { functionsOver } from './long-functions.js'
import { entryModules, type PublicExport, publicExports } from './public-exports.js'
import { isProductSource, root, sourceFiles } from './source-tree.js'

const files = sourceFiles()
const product = files.filter(isProductSource)

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

describe('files', () => {
  test('no file has more than 300 lines', () => {
    expect(files.filter(({ lines }) => lines > 300).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([])
  })

  test('half of the files have at most 90 lines', () => {
    expect(median(files.map(({ lines }) => lines))).toBeLessThanOrEqual(90)
  })

  test('the names of files are in kebab-case and name a concept', () => {
    const allowed = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|browser|config|resolver))*\.(ts|tsx|mjs|cjs|js)$/
    const vague = /^(utils?|helpers?|misc|common|types|manager)\.(ts|tsx|mjs|js)$/
    const wrong = files.filter(({ path }) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      return !allowed.test(name) || vague.test(name)
    })
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

describe('comments', () => {
  test('no line of a comment has more than 132 columns', () => {
    const isLong = (line: string) => line.length > 132 && /^\s*(\/\/|\/?\*)/.test(line)
    const long = files.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (isLong(line) ? [`${path}:${index + 1}`] : [])),
    )
    expect(long).toEqual([])
  })
})

describe('functions', () => {
  test('at most one function of the product has more than 100 lines', () => {
    const long = product.flatMap((file) => functionsOver(100, file))
    const listed = long.map(({ path, name, lines }) => `${path} ${name}: ${lines}`)
    expect(listed.length <= 1 ? [] : listed).toEqual([])
  })
})

describe('documentation comments of public exports', () => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const packages = ['libs', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  )
  const unique = new Map<string, PublicExport>()
  for (const folder of packages.filter((folder) => existsSync(join(root, folder, 'package.json')))) {
    for (const entry of entryModules(root, folder)) {
      for (const found of publicExports(byPath, entry)) unique.set(`${found.path} ${found.name}`, found)
    }
  }
  const exported = [...unique]
  const namesOf = (wrong: typeof exported) => wrong.map(([key]) => key).sort()

  test('every function, class, constant and port has one; a schema is its own documentation', () => {
    const wrong = exported.filter(
      ([, { kind, name, docs }]) => kind !== 'type' && !/(Schema|Contract)$/.test(name) && docs === undefined,
    )
    expect(namesOf(wrong)).toEqual([])
  })

  test('the comment of a function that throws describes its errors', () => {
    const saysErrors = /\b(throws?|rejects?|fails?|refus(es|ed)|errors?)\b/i
    const wrong = exported.filter(
      ([, { kind, docs, throws }]) => kind === 'function' && throws && !saysErrors.test(docs ?? ''),
    )
    expect(namesOf(wrong)).toEqual([])
  })

  test('the comment of a function with bytes or samples describes their format', () => {
    const saysShape = /\b(PCM|bytes?|samples?|frames?|UTF-8|Hz|WAV|Ogg|JSON|Opus|MP3|encoded|digest|floats?)\b/i
    const wrong = exported.filter(
      ([, { kind, docs, carriesArrays }]) => kind === 'function' && carriesArrays && !saysShape.test(docs ?? ''),
    )
    expect(namesOf(wrong)).toEqual([])
  })
})

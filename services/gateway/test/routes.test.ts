import { readdirSync, readFileSync } from 'node:fs'

const source = new URL('../src/', import.meta.url)

const filesIn = (folder: URL): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

const foldersIn = (folder: URL): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

test('every route is defined in a separate file, which is named after it, and is in the list of routes', () => {
  const folder = new URL('routes/', source)
  const listed = (file: string) => readFileSync(new URL(file, folder), 'utf8')
  const lists = { api: listed('routes.ts'), dashboard: listed('dashboard/dashboard-routes.ts') }
  const defined = foldersIn(folder).flatMap((resource) =>
    filesIn(new URL(`${resource}/`, folder)).flatMap((file) => {
      const names = [
        ...readFileSync(new URL(`${resource}/${file}`, folder), 'utf8').matchAll(/^export const (\w+): Route = \{$/gm),
      ].map(([, name = '']) => name)
      return names.length === 0 ? [] : [{ path: `./${resource}/${file}`, names }]
    }),
  )
  for (const { path, names } of defined) {
    const fileName = names[0]!.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    expect([path, names.length]).toEqual([expect.stringMatching(new RegExp(`/${fileName}\\.ts$`)), 1])
    const list = path.startsWith('./dashboard/') ? lists.dashboard : lists.api
    const imported = path.replace('./dashboard/', './').replace(/\.ts$/, '.js')
    expect(list).toContain(`import { ${names[0]} } from '${imported}'`)
    expect(list).toContain(`\n  ${names[0]},\n`)
  }
})

test('beside the folders of the gateway there are only the files that put it together', () => {
  expect(filesIn(source).sort()).toEqual([
    'app.ts',
    'env.ts',
    'gateway-clients.ts',
    'gateway.ts',
    'index.ts',
    'main.ts',
    'service.ts',
  ])
})

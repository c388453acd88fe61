import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadedModules } from '@parlance/testing'

const sources = fileURLToPath(new URL('../src', import.meta.url))
const cli = fileURLToPath(new URL('../../cli/src', import.meta.url))

/** Modules that take longer to load than most commands take. */
const slow =
  /^@parlance\/(service-.*|engine-.*|agent-tests|bus|egress|models|runtime|store|telemetry)(\/install)?$|^@nats-io\//

test('a command starts quickly: what runs services or models is loaded only by commands that need it', () => {
  const loaded = [...loadedModules(join(sources, 'main.ts')), ...loadedModules(join(cli, 'index.ts'))]
  expect(loaded).toContain(join(cli, 'open-operator-calls.ts'))
  expect(loaded).toContain('@parlance/runtime/process')
  expect(loaded.filter((module) => slow.test(module))).toEqual([])
})

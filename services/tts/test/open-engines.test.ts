import { createLogger } from '@parlance/telemetry'
import type { ConfiguredEngine } from '../src/engine-types.js'
import { openEngines } from '../src/open-engines.js'
import { createToneEngine } from './tone-engine.js'

const context = {
  logger: createLogger({ name: 'test', level: 'silent' }),
  readSecret: () => '',
  onReplace: () => undefined,
}

/** Opens engines of these names, and tells which were closed. */
const createOpener = (closed: string[], names?: string[]): ConfiguredEngine => {
  return async (entry) =>
    (names ?? [entry]).map((name) => ({
      ...createToneEngine({ name }),
      close: async () => {
        closed.push(name)
      },
    }))
}

test('an entry may be several engines', async () => {
  const closed: string[] = []
  const engines = await openEngines({ one: createOpener(closed), models: createOpener(closed, ['a', 'b']) }, context)
  expect(engines.map(({ name }) => name)).toEqual(['one', 'a', 'b'])
  expect(closed).toEqual([])
})

test('an engine whose configuration is wrong fails the start by its name, and leaves no other open', async () => {
  const closed: string[] = []
  const wrong: ConfiguredEngine = () => Promise.reject(new Error('the folder holds no model'))
  await expect(openEngines({ one: createOpener(closed), models: wrong }, context)).rejects.toMatchObject({
    name: 'StartupError',
    lines: ['The engine models cannot be used: the folder holds no model'],
  })
  expect(closed).toEqual(['one'])
})

test('two engines of one name are refused', async () => {
  const closed: string[] = []
  const opening = openEngines({ one: createOpener(closed), models: createOpener(closed, ['one']) }, context)
  await expect(opening).rejects.toThrow('More than one engine is named one. Rename one of them.')
  expect(closed).toEqual(['one', 'one'])
})

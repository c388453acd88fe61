import { createLogger } from '@parlance/telemetry'
import type { ConfiguredEngine } from '../src/engines-config.js'
import { openEngines } from '../src/engines-config.js'
import { createToneEngine } from './tone-engine.js'

const context = {
  logger: createLogger({ name: 'test', level: 'silent' }),
  readSecret: () => '',
  onReplace: () => undefined,
}

const place = 'TTS_ENGINES_FILE: /etc/engines.json'
const configOf = (engines: Record<string, ConfiguredEngine>, optional: readonly string[] = []) => ({
  engines,
  optional,
  place,
})

/** Opens engines of these names, and records which were closed. */
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
  const engines = await openEngines(
    configOf({ one: createOpener(closed), models: createOpener(closed, ['a', 'b']) }),
    context,
  )
  expect(engines.map(({ name }) => name)).toEqual(['one', 'a', 'b'])
  expect(closed).toEqual([])
})

test('an engine whose configuration is wrong fails the start by its name, and leaves no other open', async () => {
  const closed: string[] = []
  const wrong: ConfiguredEngine = () => Promise.reject(new Error('the folder holds no model'))
  await expect(openEngines(configOf({ one: createOpener(closed), models: wrong }), context)).rejects.toMatchObject({
    name: 'StartupError',
    lines: [`${place}: The engine models cannot be used: the folder holds no model`],
  })
  expect(closed).toEqual(['one'])
})

test('an optional engine that this machine does not have is left out, with a line in the log that gives the reason', async () => {
  const lines: string[] = []
  const logger = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } })
  const missing: ConfiguredEngine = () => Promise.reject(new Error('there is no library'))
  const engines = await openEngines(configOf({ one: createOpener([]), missing }, ['missing']), { ...context, logger })
  expect(engines.map(({ name }) => name)).toEqual(['one'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { engine: 'missing', msg: 'The engine missing cannot be used: there is no library' },
  ])
})

test('two engines of one name are refused', async () => {
  const closed: string[] = []
  const opening = openEngines(configOf({ one: createOpener(closed), models: createOpener(closed, ['one']) }), context)
  await expect(opening).rejects.toThrow(`${place}: More than one engine is named one. Rename one of them.`)
  expect(closed).toEqual(['one', 'one'])
})

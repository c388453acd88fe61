import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '@parlance/runtime'
import { catalog } from '@parlance/service-catalog'
import { tts } from '@parlance/service-tts'
import { checkEngines } from '../../src/doctor/checks/engines.js'
import { createContext, expectFinding, expectFine, notAborted } from './check-context.js'

/** Engines of this machine have offered their voices when the worker has started. */
const offersWithinMs = 2_000

const check = (environment: Record<string, string>) =>
  checkEngines(createContext({ environment, services: [catalog, tts] as Service[] }), notAborted, offersWithinMs)

describe('the check of engines', () => {
  let folder: string
  const enginesFile = async (engines: object) => {
    const file = join(folder, 'engines.json')
    await writeFile(file, JSON.stringify({ engines }))
    return { TTS_ENGINES_FILE: file }
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-doctor-engines-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('each engine speaks a word', async () => {
    const findings = await check(await enginesFile({ main: { type: 'espeak-ng' }, spare: { type: 'espeak-ng' } }))
    expectFine(findings)
    for (const engine of ['main', 'spare']) {
      expectFinding(findings, 'ok', new RegExp(`^${engine} speaks: \\d\\.\\d s of audio, the first after \\d+ ms`))
    }
  })

  test('an invalid or missing engines file is an error that names it', async () => {
    expectFinding(await check(await enginesFile({ main: { type: 'parrot' } })), 'error', /engines\.json.*main/)
    expectFinding(
      await check({ TTS_ENGINES_FILE: '/nowhere.json' }),
      'error',
      /nowhere\.json: cannot be read \(ENOENT\)/,
    )
  })

  test('a server that cannot be reached is an error beside the engines that speak', async () => {
    const findings = await check(
      await enginesFile({
        main: { type: 'espeak-ng' },
        away: {
          type: 'openai',
          base_url: 'http://127.0.0.1:9/v1',
          models: [{ id: 'any', credit_per_1k_characters: '1' }],
          voices: [{ id: 'any', languages: ['en'] }],
        },
      }),
    )
    expectFinding(findings, 'ok', /^main speaks/)
    expectFinding(findings, 'error', /^The engine away offers no voice/)
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parlance/bus'
import { catalogContract, ServiceError, type Voice } from '@parlance/contracts'
import { type Service, startServices } from '@parlance/runtime'
import { catalog } from '@parlance/service-catalog'
import { tts } from '@parlance/service-tts'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms } from '@parlance/testing'
import { eventually } from './eventually.js'

/** The variants of the voices of a worker with these settings, and no others. */
const variantsWith = async (settings: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'parlance-engines-'))
  const { platform, stop } = await startServices([catalog, tts] as Service[], {
    environment: { PARLANCE_DATA: dataFolder, TTS_ENGINE_PROCESSES: '1', ...settings },
    logger: createLogger({ level: 'silent' }),
  })
  try {
    const client = createClient(platform.bus, catalogContract)
    const noneYet = (error: unknown): Voice[] => {
      if (error instanceof ServiceError && error.code === 'unavailable') return []
      throw error
    }
    const voices = await eventually(async () => {
      const found = await client.listVoices({ limit: 100 }).then((page) => page.voices, noneYet)
      return found.length === 0 ? undefined : found
    })
    return new Set(voices.flatMap(({ variants }) => variants.map(({ id }) => id)))
  } finally {
    await stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

describeWithPrograms(['flite'], 'a worker on a machine that has flite', () => {
  test('speaks with it beside its own engine, without any setting', async () => {
    expect(await variantsWith({})).toEqual(new Set(['flite', 'standard']))
  })

  test('does not use it when the operator disables it', async () => {
    expect(await variantsWith({ TTS_INSTALLED_ENGINES: 'false' })).toEqual(new Set(['standard']))
  })
})

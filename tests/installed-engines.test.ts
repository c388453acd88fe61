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

/** The variants of the voices of a worker with these settings, when there are at least `count`, and no others. */
const variantsWith = async (
  count: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ReadonlySet<string>> => {
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
    // An engine announces its voices when it has started, which may be long after another one.
    return await eventually(async () => {
      const found = await client.listVoices({ limit: 100 }).then((page) => page.voices, noneYet)
      const ids = new Set(found.flatMap(({ variants }) => variants.map(({ id }) => id)))
      return ids.size < count ? undefined : ids
    })
  } finally {
    await stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

describeWithPrograms(['flite'], 'a worker on a machine that has flite', () => {
  test('speaks with it beside its own engine, without any setting', async () => {
    expect(await variantsWith(2)).toEqual(new Set(['flite', 'standard']))
  })

  test('does not use it when the operator disables it', async () => {
    expect(await variantsWith(1, { TTS_INSTALLED_ENGINES: 'false' })).toEqual(new Set(['standard']))
  })
})

import { createInProcessBus, serve } from '@parlance/bus'
import { createApiKey } from '@parlance/clients/api-key'
import { authContract, catalogContract } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import { createMemoryTtlStore } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { fakeHandlers } from '@parlance/testing'
import { gateway } from '../src/index.js'
import { expectError } from './expect-error.js'

const keyId = '7a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
const settings = {
  API_KEY_PEPPERS: '1:a pepper for tests'.replaceAll(' ', '-'),
  API_KEY_ENVIRONMENT: 'dev',
  PORT: '0',
  HOST: '127.0.0.1',
}

/** The real service on a separate platform, with an auth service that knows one key. */
const openService = async () => {
  const bus = createInProcessBus()
  const ttl = createMemoryTtlStore()
  const lines: Record<string, unknown>[] = []
  const uses: string[] = []
  const auth = fakeHandlers(authContract, {
    verifyKey: () => ({ key_id: keyId, workspace_id: keyId, capabilities: [], suspended: false }),
    recordKeyUse(request) {
      uses.push(...request.uses.map(({ key_id }) => key_id))
      return {}
    },
  })
  await serve(bus, authContract, auth, { instanceId: 'auth' })
  await serve(bus, catalogContract, fakeHandlers(catalogContract, {}), { instanceId: 'catalog' })
  const platform: Platform = {
    instanceId: 'gateway',
    bus,
    ttl,
    logger: createLogger({
      name: 'gateway',
      destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
    }),
    metrics: createMetrics(),
    tracing: noTracing,
    openSharedStore: async () => undefined,
    readSecret: () => '',
    openDatabase: () => Promise.reject(new Error('the gateway has no database')),
  }
  const running = await gateway.start(platform, gateway.env.parse(settings))
  const port = lines.find(({ msg }) => msg === 'listening')?.port
  return {
    running,
    uses,
    url: `http://127.0.0.1:${port}`,
    async close() {
      await ttl.close()
      await bus.close()
    },
  }
}

test('the service checks keys of its own environment, serves, and reports the used keys when it stops', async () => {
  const service = await openService()
  const ask = (key: string) => fetch(`${service.url}/v1/voices`, { headers: { authorization: `Bearer ${key}` } })

  expect(await service.running.ready()).toBe(true)
  expect(await (await ask(createApiKey('dev'))).json()).toEqual({ voices: [], next_cursor: null })
  await expectError(await ask(createApiKey('prd')), 'unauthorized')
  await expectError(await ask('sk-123'), 'unauthorized')

  const stopped = service.running.stop()
  expect(await service.running.ready()).toBe(false)
  await stopped
  expect(service.uses).toEqual([keyId])
  await service.close()
})

test.each([
  [{ PORT: 'http' }, 'PORT'],
  [{ PORT: '65536' }, 'PORT'],
  [{ FIRST_AUDIO_DEADLINE_MS: '1' }, 'FIRST_AUDIO_DEADLINE_MS'],
  [{ RATE_LIMIT_PER_MINUTE: '-1' }, 'RATE_LIMIT_PER_MINUTE'],
  [{ API_KEY_PEPPERS: 'short' }, 'API_KEY_PEPPERS'],
])('the environment %j is refused', (wrong, name) => {
  expect(gateway.env.safeParse({ ...settings, ...wrong }).error?.issues.map(({ path }) => path)).toEqual([[name]])
})

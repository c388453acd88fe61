import type { Check } from './check.js'
import { checkClocks } from './checks/clocks.js'
import { checkEngines, enginesTimeoutMs } from './checks/engines.js'
import { checkEnvironment } from './checks/environment.js'
import { checkIce } from './checks/ice.js'
import { checkMigrations } from './checks/migrations.js'
import { checkModels } from './checks/models.js'
import { checkNats } from './checks/nats.js'
import { checkOutbound } from './checks/outbound.js'
import { checkPostgres } from './checks/postgres.js'
import { checkRedis } from './checks/redis.js'
import { checkUdp, udpTimeoutMs } from './checks/udp.js'
import { checkWebsocket, websocketTimeoutMs } from './checks/websocket.js'

/** Hashing many large models takes minutes on a slow disk. */
const modelsTimeoutMs = 300_000

/** Every check, in the order in which it is reported. */
export const checks: readonly Check[] = [
  { name: 'environment', run: checkEnvironment },
  { name: 'nats', run: checkNats },
  { name: 'redis', run: checkRedis },
  { name: 'postgres', run: checkPostgres },
  { name: 'migrations', run: checkMigrations },
  { name: 'engines', run: checkEngines, timeoutMs: () => enginesTimeoutMs },
  { name: 'models', run: checkModels, timeoutMs: () => modelsTimeoutMs },
  { name: 'clocks', run: checkClocks },
  { name: 'outbound', run: checkOutbound },
  { name: 'udp', run: checkUdp, timeoutMs: () => udpTimeoutMs },
  { name: 'ice', run: checkIce },
  { name: 'websocket', run: checkWebsocket, timeoutMs: websocketTimeoutMs },
]

import type { Service } from '@parlance/runtime'
import { agents } from '@parlance/service-agents'
import { auth } from '@parlance/service-auth'
import { catalog } from '@parlance/service-catalog'
import { endUsers } from '@parlance/service-end-users'
import { gateway } from '@parlance/service-gateway'
import { sessions } from '@parlance/service-sessions'
import { tokens } from '@parlance/service-tokens'
import { tts } from '@parlance/service-tts'
import { webhooks } from '@parlance/service-webhooks'

/**
 * The registry of services: a service that is not here is not part of Parlance. One process starts them in this order. The gateway
 * is last, because it calls the others.
 */
export const services = [
  auth,
  agents,
  tokens,
  catalog,
  tts,
  endUsers,
  sessions,
  webhooks,
  gateway,
] as readonly Service[]

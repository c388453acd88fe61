import { setTimeout as delay } from 'node:timers/promises'
import type { Principal } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { describeWithPrograms } from '@parlance/testing'
import fc from 'fast-check'
import { type Gateway, type Installation, newPepper, oldPepper, startInstallation } from './installation.js'

const unauthorized = { name: 'ServiceError', code: 'unauthorized' }

const newKey = async ({ auth }: Gateway) => {
  const { id } = await auth.createWorkspace({ name: 'w', capabilities: ['tts'] })
  const { key, id: keyId } = await auth.createKey({ workspace_id: id, label: 'k' })
  return { header: `Bearer ${key}`, workspaceId: id, keyId }
}

describeWithPrograms(['nats', 'redis', 'postgres'], 'revocation', () => {
  let installation: Installation
  let gateways: [Gateway, Gateway]
  /** Awaited by every auth replica before it writes the record of a key. */
  let beforeActive: () => Promise<void>
  /** The same before it writes that a key is revoked. */
  let beforeRevoked: () => Promise<void>

  /** Blocks those writes until `release`. `reached` resolves when the given number of them wait. */
  const blockWrites = () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let waiting = 0
    beforeActive = () => {
      waiting++
      return released
    }
    const reached = async (count: number) => {
      while (waiting < count) await delay(5)
    }
    return { reached, release }
  }

  const wrap = (ttl: TtlStore): TtlStore => ({
    ...ttl,
    async setIfAbsent(...args) {
      await beforeActive()
      return ttl.setIfAbsent(...args)
    },
    async set(place, value, ttlMs) {
      if (value.includes('revoked')) await beforeRevoked()
      return ttl.set(place, value, ttlMs)
    },
  })

  beforeAll(async () => {
    installation = await startInstallation()
    await installation.startAuth({ wrap })
    await installation.startAuth({ wrap })
    gateways = [await installation.openGateway(), await installation.openGateway()]
  })
  afterAll(() => installation.stop())
  beforeEach(() => {
    beforeActive = async () => {}
    beforeRevoked = async () => {}
  })

  test('is effective on every gateway when the call resolves, and can be called again', async () => {
    const { header, workspaceId, keyId } = await newKey(gateways[0])
    for (const { authenticate } of gateways) await authenticate(header)
    const revoked = await gateways[0].auth.revokeKey({ workspace_id: workspaceId, key_id: keyId })
    expect(revoked.status).toBe('revoked')
    for (const { authenticate } of gateways) await expect(authenticate(header)).rejects.toMatchObject(unauthorized)
    expect(await gateways[1].auth.revokeKey({ workspace_id: workspaceId, key_id: keyId })).toEqual(revoked)
  })

  test('cannot be undone by a check that read the key before it and writes after it', async () => {
    const { header, workspaceId, keyId } = await newKey(gateways[0])
    const { reached, release } = blockWrites()
    const overtaken = gateways[0].authenticate(header)
    await reached(1)
    await gateways[1].auth.revokeKey({ workspace_id: workspaceId, key_id: keyId })
    release()
    // This check began before the revocation, so both results are right.
    await overtaken.catch(() => {})
    for (const { authenticate } of gateways) await expect(authenticate(header)).rejects.toMatchObject(unauthorized)
  })

  describe('while a pepper is rolled out', () => {
    let modern: Gateway
    let oldKeys: Awaited<ReturnType<typeof newKey>>[]
    beforeAll(async () => {
      // Created before the new pepper was known.
      oldKeys = await Promise.all(Array.from({ length: 3 }, () => newKey(gateways[0])))
      await installation.startAuth({ peppers: newPepper, wrap })
      modern = await installation.openGateway({ peppers: newPepper })
    })

    test('reaches gateways that know the new pepper and gateways that do not', async () => {
      const { header, workspaceId, keyId } = oldKeys[0]!
      const all = [modern, ...gateways]
      for (const { authenticate } of all) await authenticate(header)
      await gateways[0].auth.revokeKey({ workspace_id: workspaceId, key_id: keyId })
      for (const { authenticate } of all) await expect(authenticate(header)).rejects.toMatchObject(unauthorized)
    })

    test('cannot be undone by a check that makes the key known under the new one at the same time', async () => {
      const { header, workspaceId, keyId } = oldKeys[1]!
      const all = [modern, ...gateways]
      const { reached, release } = blockWrites()
      const uses = all.map(({ authenticate }) => authenticate(header))
      await reached(3)
      await gateways[0].auth.revokeKey({ workspace_id: workspaceId, key_id: keyId })
      release()
      await Promise.allSettled(uses)
      for (const { authenticate } of all) await expect(authenticate(header)).rejects.toMatchObject(unauthorized)
    })

    test('a key that was created before needs the old pepper once, and then no longer', async () => {
      const { header, keyId } = oldKeys[2]!
      const later = await installation.openGateway({ peppers: newPepper.replace(`,${oldPepper}`, '') })
      await expect(later.authenticate(header)).rejects.toMatchObject(unauthorized)
      await modern.authenticate(header)
      expect((await later.authenticate(header)).key_id).toBe(keyId)
    })

    test('a key created now is valid on every gateway', async () => {
      for (let n = 0; n < 6; n++) {
        const { header, keyId } = await newKey(gateways[0])
        for (const { authenticate } of [modern, ...gateways]) expect((await authenticate(header)).key_id).toBe(keyId)
      }
    })
  })

  test('rejects with unavailable while Redis cannot be reached, and a second call completes it', async () => {
    const { header, workspaceId, keyId } = await newKey(gateways[0])
    for (const { authenticate } of gateways) await authenticate(header)
    const revoke = () => gateways[0].auth.revokeKey({ workspace_id: workspaceId, key_id: keyId })

    await installation.redis.pause()
    await expect(revoke()).rejects.toMatchObject({ code: 'unavailable' })
    // Without Redis the gateways ask auth, which has the revocation in Postgres.
    for (const { authenticate } of gateways) await expect(authenticate(header)).rejects.toMatchObject(unauthorized)
    installation.redis.resume()
    await installation.redisIsBack()
    await revoke()
    for (const { authenticate } of gateways) await expect(authenticate(header)).rejects.toMatchObject(unauthorized)
  })

  test('a suspension and a change of capabilities hold from the next request on', async () => {
    const { header, workspaceId } = await newKey(gateways[0])
    for (const { authenticate } of gateways) await authenticate(header)
    await gateways[0].auth.updateWorkspace({ workspace_id: workspaceId, suspended: true })
    for (const { authenticate } of gateways) expect(await authenticate(header)).toMatchObject({ suspended: true })
    await gateways[1].auth.updateWorkspace({ workspace_id: workspaceId, suspended: false, capabilities: ['agents'] })
    for (const { authenticate } of gateways) {
      expect(await authenticate(header)).toMatchObject({ suspended: false, capabilities: ['agents'] })
    }
  })

  test('a suspension holds for a key that is being revoked meanwhile', async () => {
    const { header, workspaceId, keyId } = await newKey(gateways[0])
    for (const { authenticate } of gateways) await authenticate(header)
    let release = () => {}
    const revoking = new Promise<void>((reached) => {
      beforeRevoked = () => {
        beforeRevoked = async () => {}
        reached()
        return new Promise((resolve) => {
          release = resolve
        })
      }
    })
    const revoked = gateways[0].auth.revokeKey({ workspace_id: workspaceId, key_id: keyId })
    await revoking
    await gateways[1].auth.updateWorkspace({ workspace_id: workspaceId, suspended: true })
    const used = await Promise.allSettled(gateways.map(({ authenticate }) => authenticate(header)))
    release()
    await revoked
    for (const { reason } of used as PromiseRejectedResult[]) expect(reason).toMatchObject(unauthorized)
  })

  test('holds for every interleaving of concurrent operations', async () => {
    const step = fc.record({
      act: fc.constantFrom('use', 'use', 'use', 'use', 'suspend', 'resume', 'revoke'),
      gateway: fc.constantFrom(0, 1),
      pauseMs: fc.nat(4),
    })
    const lanes = fc.array(fc.array(step, { minLength: 5, maxLength: 15 }), { minLength: 2, maxLength: 6 })

    await fc.assert(
      fc.asyncProperty(lanes, fc.array(fc.nat(8), { minLength: 1, maxLength: 20 }), async (plan, delays) => {
        let writes = 0
        beforeActive = () => delay(delays[writes++ % delays.length])
        const { header, workspaceId, keyId } = await newKey(gateways[0])
        const changes = { workspace_id: workspaceId }
        let revoking = false
        let revoked = false
        /** Every value of the flag, with its time. The first applies from the start. */
        const settings = [{ suspended: false, begun: 0, done: 0 }]
        let clock = 1

        const use = async ({ authenticate }: Gateway): Promise<void> => {
          const [asked, wasRevoked] = [clock++, revoked]
          const outcome: Principal | 'refused' = await authenticate(header).catch(() => 'refused')
          const answered = clock++
          if (wasRevoked) expect(outcome).toBe('refused')
          if (!revoking) expect(outcome).not.toBe('refused')
          if (outcome === 'refused') return
          // The values that were set last before the check, or at the same time.
          const last = settings.findLast(({ done }) => done < asked)
          const possible = settings.filter(
            (setting) => setting === last || (setting.begun < answered && setting.done > asked),
          )
          expect(possible.map(({ suspended }) => suspended)).toContain(outcome.suspended)
        }
        const suspend = async ({ auth }: Gateway, suspended: boolean): Promise<void> => {
          const setting = { suspended, begun: clock++, done: Number.POSITIVE_INFINITY }
          settings.push(setting)
          await auth.updateWorkspace({ ...changes, suspended })
          setting.done = clock++
        }
        const revoke = async ({ auth }: Gateway): Promise<void> => {
          revoking = true
          await auth.revokeKey({ workspace_id: workspaceId, key_id: keyId })
          revoked = true
        }

        await Promise.all(
          plan.map(async (steps, lane) => {
            for (const { act, gateway, pauseMs } of steps) {
              const through = gateways[gateway === 0 ? 0 : 1]
              await delay(pauseMs)
              // Only one change of the workspace runs at a time, because simultaneous changes have no order to check against.
              if (act === 'suspend' || act === 'resume')
                await (lane === 0 ? suspend(through, act === 'suspend') : use(through))
              else if (act === 'revoke') await (lane === 1 ? revoke(through) : use(through))
              else await use(through)
            }
          }),
        )
        for (const gateway of gateways) await use(gateway)
      }),
      { numRuns: 25 },
    )
  })

  test('holds while the bus is cut off', async () => {
    const revoked = await newKey(gateways[0])
    const untouched = await newKey(gateways[0])
    const neverSeen = await newKey(gateways[0])
    for (const { authenticate } of gateways) {
      await authenticate(revoked.header)
      await authenticate(untouched.header)
    }
    await gateways[0].auth.revokeKey({ workspace_id: revoked.workspaceId, key_id: revoked.keyId })
    await installation.nats.kill()
    for (const { authenticate } of gateways) {
      await expect(authenticate(revoked.header)).rejects.toMatchObject(unauthorized)
      await expect(authenticate(untouched.header)).resolves.toMatchObject({ key_id: untouched.keyId })
      await expect(authenticate(neverSeen.header)).rejects.toMatchObject({ code: 'unavailable' })
    }
    await installation.nats.restart()
    for (const { authenticate } of gateways) {
      while ((await authenticate(neverSeen.header).catch(() => undefined))?.key_id !== neverSeen.keyId) await delay(20)
    }
  })
})

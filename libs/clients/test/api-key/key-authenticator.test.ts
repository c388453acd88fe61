import {
  createApiKey,
  createKeyAuthenticator,
  digestApiKey,
  type KeyAuthenticatorOptions,
  parsePeppers,
  writeActiveRecord,
  writeChangedRecords,
  writeRevokedRecords,
} from '@parlance/clients/api-key'
import { type KeyDigest, type Principal, ServiceError } from '@parlance/contracts'
import { createMemoryTtlStore, type TtlStore } from '@parlance/store'

const peppers = parsePeppers('2:current-pepper-00000,1:older-pepper-0000000')
const principal: Principal = {
  key_id: '5d1c9b94-2f4e-4f0e-9d7b-0a4a31b9b8a1',
  workspace_id: '0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10',
  capabilities: ['tts'],
  suspended: false,
}

describe('the key authenticator', () => {
  let ttl: TtlStore
  let asked: { digests: readonly KeyDigest[] }[]
  let reads: number
  let answer: () => Promise<Principal>
  const key = createApiKey('prd')
  const header = `Bearer ${key}`
  const currentDigest = digestApiKey(key, peppers[0]).digest

  const create = (more: Partial<KeyAuthenticatorOptions> = {}) =>
    createKeyAuthenticator({
      ttl: {
        get: (place) => {
          reads++
          return ttl.get(place)
        },
      },
      auth: {
        verifyKey: (request) => {
          asked.push(request)
          return answer()
        },
      },
      peppers,
      environment: 'prd',
      ...more,
    })

  beforeEach(() => {
    ttl = createMemoryTtlStore()
    asked = []
    reads = 0
    answer = async () => principal
  })
  afterEach(() => ttl.close())

  test.each([
    [undefined, 'Send an API key'],
    ['', 'must read'],
    [key, 'must read'],
    [`Basic ${key}`, 'must read'],
    [`Bearer ${key} ${key}`, 'must read'],
    ['Bearer sk-1234', 'not an API key'],
    ['Bearer awst_1234', 'not an API key'],
    ['Bearer awp_prd_short', 'incomplete or has a typing error'],
    [`Bearer ${key.slice(0, -1)}!`, 'incomplete or has a typing error'],
    [`Bearer ${createApiKey('dev')}`, 'This key is for development, but this installation is for production'],
  ])('the header "%s" is refused without any look-up', async (sent, detail) => {
    await expect(create()(sent)).rejects.toMatchObject({
      code: 'unauthorized',
      detail: expect.stringContaining(detail),
    })
    expect([reads, asked.length]).toEqual([0, 0])
  })

  test('the scheme may be written in any case', async () => {
    await expect(create()(`bEaReR ${key}`)).resolves.toEqual(principal)
  })

  test('an unexpired record is trusted without asking auth', async () => {
    await writeActiveRecord(ttl, currentDigest, principal, Date.now())
    await expect(create()(header)).resolves.toEqual(principal)
    expect(asked).toEqual([])
  })

  test('an expired record is not trusted, although the store still has it', async () => {
    await writeActiveRecord(ttl, currentDigest, principal, Date.now() - 60_000)
    await create()(header)
    expect(asked).toHaveLength(1)
  })

  test('a revoked key is refused without asking auth, with the same message as an unknown key', async () => {
    await writeRevokedRecords(ttl, [currentDigest])
    const revoked = await create()(header).catch((error: ServiceError) => error)
    expect(asked).toEqual([])
    answer = async () => {
      throw new ServiceError('unauthorized', 'the detail of auth')
    }
    const unknown = await create()(`Bearer ${createApiKey('prd')}`).catch((error: ServiceError) => error)
    expect(revoked).toMatchObject({ code: 'unauthorized' })
    expect(unknown).toEqual(revoked)
  })

  test.each([
    ['nothing', async () => {}],
    ['marked as changed', () => writeChangedRecords(ttl, [currentDigest])],
    ['something unreadable', () => ttl.set(`auth:key:${currentDigest}`, '{', 10_000)],
    ['in another format', () => ttl.set(`auth:key:${currentDigest}`, '{"state":"active"}', 10_000)],
  ])('where the record is %s, auth is asked with the digests under all peppers', async (_, prepare) => {
    await prepare()
    await expect(create()(header)).resolves.toEqual(principal)
    expect(asked).toEqual([{ digests: peppers.map((pepper) => digestApiKey(key, pepper)) }])
  })

  test('auth is not asked again for a key that it refused, unless there is a record of the key, and is asked for others', async () => {
    answer = async () => {
      throw new ServiceError('unauthorized', 'unknown')
    }
    const authenticate = create()
    for (let n = 0; n < 3; n++) await expect(authenticate(header)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(asked).toHaveLength(1)
    answer = async () => principal
    await expect(authenticate(`Bearer ${createApiKey('prd')}`)).resolves.toEqual(principal)
    await writeActiveRecord(ttl, currentDigest, principal, Date.now())
    await expect(authenticate(header)).resolves.toEqual(principal)
  })

  test('a failure to ask auth is not remembered as a refusal', async () => {
    answer = async () => {
      throw new ServiceError('unavailable', 'gone')
    }
    const authenticate = create()
    await expect(authenticate(header)).rejects.toMatchObject({ code: 'unavailable' })
    answer = async () => principal
    await expect(authenticate(header)).resolves.toEqual(principal)
  })

  test('an unknown caller is counted once for each request that is refused or asks auth, and not for an accepted key', async () => {
    let counted = 0
    const count = async () => {
      counted++
    }
    const authenticate = create()
    await authenticate(header, undefined, count)
    expect(counted).toBe(1)
    await authenticate(header, undefined, count)
    await writeActiveRecord(ttl, currentDigest, principal, Date.now())
    await authenticate(header, undefined, count)
    expect(counted).toBe(1)
    await expect(authenticate('Bearer sk-1', undefined, count)).rejects.toMatchObject({ code: 'unauthorized' })
    await writeRevokedRecords(ttl, [currentDigest])
    await expect(authenticate(header, undefined, count)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(counted).toBe(3)
    const tooMany = new ServiceError('rate_limited', 'too many')
    const refuse = () => Promise.reject(tooMany)
    const before = asked.length
    await expect(authenticate(`Bearer ${createApiKey('prd')}`, undefined, refuse)).rejects.toBe(tooMany)
    expect(asked.length).toBe(before)
  })

  test('when the store cannot be read, auth decides; when neither can be reached, the request is refused', async () => {
    const unavailable = async () => {
      throw new ServiceError('unavailable', 'gone')
    }
    const authenticate = create({ ttl: { get: unavailable } })
    await expect(authenticate(header)).resolves.toEqual(principal)
    answer = unavailable
    await expect(authenticate(header)).rejects.toMatchObject({ code: 'unavailable' })
    answer = async () => {
      throw new ServiceError('upstream_timeout', 'slow')
    }
    await expect(authenticate(header)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('requests of one tick share a look-up that starts after the last of them; the next tick has its own', async () => {
    await writeActiveRecord(ttl, currentDigest, principal, Date.now())
    const authenticate = create()
    const shared = Array.from({ length: 10 }, () => authenticate(header))
    expect(reads).toBe(0)
    await Promise.all(shared)
    expect(reads).toBe(1)
    await writeRevokedRecords(ttl, [currentDigest])
    await expect(authenticate(header)).rejects.toMatchObject({ code: 'unauthorized' })
    expect(reads).toBe(2)
  })

  test('a request that arrives during a look-up does not share its result', async () => {
    let release = (_: string | null) => {}
    const slowReads: Promise<string | null>[] = []
    const authenticate = create({
      ttl: {
        get: (place) => {
          const read =
            slowReads.length === 0
              ? new Promise<string | null>((resolve) => {
                  release = resolve
                })
              : ttl.get(place)
          slowReads.push(read)
          return read
        },
      },
    })
    const before = authenticate(header)
    while (slowReads.length === 0) await new Promise(setImmediate)
    await writeRevokedRecords(ttl, [currentDigest])
    await expect(authenticate(header)).rejects.toMatchObject({ code: 'unauthorized' })
    release(null)
    await expect(before).resolves.toEqual(principal)
  })
})

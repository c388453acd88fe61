import { randomUUID } from 'node:crypto'
import { ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { RequestHandler } from 'express'
import { apiHeaders, jsonType } from '../src/http/json-response.js'
import { expectError } from './expect-error.js'
import { mint, type OpenThings, type OpenThingsOptions, openThings, token } from './open-things.js'
import { describeSharedStores } from './shared-stores.js'

describeSharedStores('the stored answer of an Idempotency-Key', (open) => {
  const opened: OpenThings[] = []
  const openServer = async (work: RequestHandler, options: Partial<OpenThingsOptions> = {}) => {
    const things = await openThings({ ttl: await open(), work, ...options })
    opened.push(things)
    return things
  }
  afterEach(async () => {
    for (const things of opened.splice(0)) await things.close()
  })
  let key = ''
  beforeEach(() => {
    key = randomUUID()
  })

  test('reveals no response and no key to a reader of the store', async () => {
    const written: string[] = []
    const ttl = await open()
    const watched: TtlStore = {
      ...ttl,
      setIfAbsent(...args) {
        written.push(args.join(' '))
        return ttl.setIfAbsent(...args)
      },
      run(script, keys, args = []) {
        written.push([...keys, ...args].join(' '))
        return ttl.run(script, keys, args)
      },
    }
    const things = await openServer(mint, { ttl: watched })
    const body = await (await things.post(key)).text()
    expect(body).toContain(token)
    const place = written[0]!.split(' ')[0]!
    const kept = (await ttl.get(place))!
    expect(kept).toContain('"state":"kept"')
    const texts = [...written, place, kept]
    // In base64 it could also be read.
    const unwrapped = texts.flatMap((text) => text.split(/[" ]/)).map((text) => Buffer.from(text, 'base64'))
    for (const text of [...texts, ...unwrapped.map((bytes) => bytes.toString('latin1'))]) {
      for (const secret of [token.slice(0, 12), token.slice(-12), key, 'awst_', 'location']) {
        expect(text).not.toContain(secret)
      }
    }
  })

  test('opens a response that an earlier pepper sealed, until that pepper is removed', async () => {
    const before = await openServer(mint, { peppers: '1:the-first-pepper-there-was' })
    const body = await (await before.post(key)).text()
    const during = await openServer(mint, { peppers: '2:the-second-pepper-there-was,1:the-first-pepper-there-was' })
    expect(await (await during.post(key)).text()).toBe(body)
    const after = await openServer(mint, { peppers: '2:the-second-pepper-there-was' })
    await expectError(await after.post(key), 'idempotency_conflict', 'no longer be read')
    expect(after.done).toBe(0)
  })

  test('is a conflict after a response beyond 1 MiB, which itself arrives completely', async () => {
    const sizes = [1024 * 1024 - 40, 3 * 1024 * 1024]
    const work: RequestHandler = async (req, res) => {
      const size = sizes.shift() ?? 0
      res.writeHead(200, [...apiHeaders(req.id, jsonType, 'no-store'), 'content-length', String(size)])
      for (let at = 0; at < size; at += 65_536) res.write('x'.repeat(Math.min(65_536, size - at)))
      res.end()
    }
    const things = await openServer(work)
    for (const again of [null, 'true']) {
      const answer = await things.post(`${key} small`)
      expect((await answer.text()).length).toBe(1024 * 1024 - 40)
      expect(answer.headers.get('idempotency-replayed')).toBe(again)
    }
    expect((await (await things.post(key)).text()).length).toBe(3 * 1024 * 1024)
    await expectError(await things.post(key), 'idempotency_conflict', 'too large')
    expect(things.done).toBe(2)
  })

  test('that cannot be stored is 503, and no work is done', async () => {
    const ttl = await open()
    const setIfAbsent = async () => {
      throw new ServiceError('unavailable', 'A store we depend on cannot be reached. Try again.')
    }
    const things = await openServer(mint, { ttl: { ...ttl, setIfAbsent } })
    await expectError(await things.post(key), 'unavailable')
    expect((await things.post(undefined)).status).toBe(201)
    expect(things.done).toBe(1)
  })

  test('whose outcome cannot be stored still gets its response, and a line is logged', async () => {
    const ttl = await open()
    const run = async () => {
      throw new ServiceError('unavailable', 'A store we depend on cannot be reached. Try again.')
    }
    const things = await openServer(mint, { ttl: { ...ttl, run } })
    expect((await things.post(key)).status).toBe(201)
    expect(things.lines).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('Idempotency-Key') }))
  })
})

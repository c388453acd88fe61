import { randomUUID } from 'node:crypto'
import type { Voice } from '@parlance/contracts'
import { type Api, createApi, expectError } from './api.js'
import { eventually } from './eventually.js'
import { describePlatforms, newKey } from './platforms.js'

/** Decimal text as a whole number of billionths. */
const nano = (credit: string): bigint => {
  const [whole = '0', fraction = ''] = credit.split('.')
  return BigInt(whole + fraction.padEnd(9, '0'))
}

describePlatforms('credit over HTTP', (platform) => {
  let voice: Voice
  let pricePerCharacter: bigint

  const newWorkspace = async (credit: string | null) => {
    const { workspace, authorization } = await newKey(platform(), { credit })
    return { workspaceId: workspace.id, api: createApi(platform().urls[0], authorization), authorization }
  }
  const speak = (api: Api, text: string, fields: object = {}) =>
    api.post('/v1/tts', { text, voice_id: voice.id, output: { format: 'ulaw' }, ...fields })

  const spent = async (api: Api, granted: string): Promise<bigint> =>
    nano(granted) - nano((await api.get('/v1/credit')).body.balance)
  /** Work is settled in the background; at rest nothing is reserved. */
  const atRest = (api: Api) =>
    eventually(async () => (nano((await api.get('/v1/credit')).body.reserved) === 0n ? true : undefined))

  beforeAll(async () => {
    const { api } = await newWorkspace(null)
    voice = await api.voice()
    pricePerCharacter = nano(voice.variants[0]!.credit_per_1k_characters) / 1000n
  }, 60_000)

  test('speech costs its code points at the price of its variant, to a billionth', async () => {
    const { api } = await newWorkspace('100')
    const texts = ['Hello.', 'Grüße aus Köln 🎧, und noch ein Satz.', 'One. Two. Three.']
    for (const text of texts) expect((await speak(api, text)).status).toBe(200)
    await atRest(api)
    const characters = texts.reduce((sum, text) => sum + [...text].length, 0)
    expect(await spent(api, '100')).toBe(BigInt(characters) * pricePerCharacter)
    for (const group of ['day', 'agent', 'api_key', 'kind']) {
      const { status, body } = await api.get(`/v1/usage?group_by=${group}`)
      expect(status).toBe(200)
      expect(body.usage).toHaveLength(1)
      expect(body.usage[0]).toMatchObject({ operations: 3, tts_characters: characters })
      expect(nano(body.usage[0].credit_used)).toBe(BigInt(characters) * pricePerCharacter)
    }
  })

  test('a request that was refused, or could not be spoken, costs nothing', async () => {
    const { api } = await newWorkspace('1')
    expectError(await speak(api, 'Hello.', { voice_id: '0'.repeat(32) }), 404, 'voice_not_found')
    expect((await speak(api, 'Hello.', { tts_variant: 'no-such' })).status).toBe(400)
    expect((await speak(api, '- - -')).status).toBe(400)
    await atRest(api)
    expect(await spent(api, '1')).toBe(0n)
  })

  test('who has no credit gets nothing spoken, and who has some gets what it pays for and no more', async () => {
    const { api: beggar } = await newWorkspace(null)
    expectError(await speak(beggar, 'Hello.'), 402, 'insufficient_credit')

    const text = 'x'.repeat(10)
    const price = BigInt(text.length) * pricePerCharacter
    // Enough for seven, asked for by thirty at once through every gateway.
    const granted = `0.${(price * 7n + price / 2n).toString().padStart(9, '0')}`
    const { authorization } = await newWorkspace(granted)
    const apis = platform().urls.map((url) => createApi(url, authorization))
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => speak(apis[n % apis.length]!, text)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 402, 'insufficient_credit')
    await atRest(apis[0]!)
    expect(await spent(apis[0]!, granted)).toBe(price * 7n)
  }, 60_000)

  test('a caller that hangs up in the middle pays for the segments it was sent whole', async () => {
    const { api, authorization } = await newWorkspace('100')
    const sentence = 'This is one of a great many sentences, each of them said in turn. '
    const text = sentence.repeat(60)
    const controller = new AbortController()
    const response = await fetch(`${platform().urls[0]}/v1/tts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ text, voice_id: voice.id, output: { format: 'wav', sample_rate: 48_000 } }),
      signal: controller.signal,
    })
    const reader = response.body!.getReader()
    await reader.read()
    controller.abort()
    await atRest(api)
    const paid = await spent(api, '100')
    expect(paid).toBeLessThan(BigInt([...text].length) * pricePerCharacter)
    expect(paid % (BigInt(sentence.length) * pricePerCharacter)).toBe(0n)
  })

  test('afterwards ledger and counter agree, for every workspace', async () => {
    const { workspaces } = await platform().credit.reconcile({})
    expect(workspaces.length).toBeGreaterThan(0)
    for (const { ledger_difference, counter_difference } of workspaces) {
      expect(Number(ledger_difference)).toBe(0)
      expect(Number(counter_difference ?? 0)).toBe(0)
    }
  })

  test('a repeated JSON speech with one idempotency key is made and paid once', async () => {
    const { api } = await newWorkspace('100')
    const key = { 'idempotency-key': randomUUID() }
    const body = { text: 'Hello.', voice_id: voice.id, output: { format: 'ulaw' }, response_mode: 'json' }
    const [first, second] = [await api.post('/v1/tts', body, key), await api.post('/v1/tts', body, key)]
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    await atRest(api)
    expect(await spent(api, '100')).toBe(6n * pricePerCharacter)
  })
})

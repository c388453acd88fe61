import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Voice } from '@parlance/contracts'
import { type Answer, type Api, createApi, expectError } from '../api.js'
import { eventually } from '../eventually.js'
import { readMetric } from '../metrics.js'
import { newKey, onPlatform } from '../platforms.js'

/** Decimal text as a whole number of billionths. */
const nano = (credit: string): bigint => {
  const [whole = '0', fraction = ''] = credit.split('.')
  return BigInt(whole + fraction.padEnd(9, '0'))
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const codePoints = (text: string) => BigInt([...text].length)

export const credit = onPlatform('credit over HTTP', (platform) => {
  let voice: Voice
  let pricePerCharacter: bigint

  const newWorkspace = async (credit: string | null) => {
    const { workspace, authorization } = await newKey(platform(), { credit })
    return { workspaceId: workspace.id, api: createApi(platform().urls[0], authorization), authorization }
  }
  const speak = (api: Api, text: string, fields: object = {}) =>
    api.post('/v1/tts', { text, voice_id: voice.id, output: { format: 'ulaw' }, ...fields })

  const creditOf = async (api: Api) => {
    const { balance, reserved } = (await api.get('/v1/credit')).body
    return { balance: nano(balance), reserved: nano(reserved) }
  }
  const usageBy = async (api: Api, grouping: string) => {
    const { status, body } = await api.get(`/v1/usage?group_by=${grouping}`)
    expect([status, body.group_by]).toEqual([200, grouping])
    return body.usage as { key: string | null; credit_used: string; operations: number; tts_characters: number }[]
  }
  /** Work is settled in the background; once that is done, nothing is reserved. */
  const spentAtRest = async (api: Api, granted: string): Promise<bigint> => {
    await eventually(async () => ((await creditOf(api)).reserved === 0n ? true : undefined))
    const spent = nano(granted) - (await creditOf(api)).balance
    expect(sum((await usageBy(api, 'kind')).map(({ credit_used }) => nano(credit_used)))).toBe(spent)
    return spent
  }
  /** Playing time made since the platform started. */
  const audioSeconds = () => readMetric(platform().metricsUrl, 'parlance_tts_audio_seconds_total')

  beforeAll(async () => {
    const { api } = await newWorkspace(null)
    voice = await api.voice()
    pricePerCharacter = nano(voice.variants[0]!.credit_per_1k_characters) / 1000n
  })

  test('speech in every mode costs its code points at the price of its variant, to a billionth', async () => {
    const { api } = await newWorkspace('100')
    const text = 'Grüße aus Köln 🎧, und noch ein Satz.'
    for (const response_mode of ['audio', 'json', 'sse']) {
      const { status, headers, body } = await speak(api, text, { response_mode })
      expect(status).toBe(200)
      expect(headers.get('x-characters-billed')).toBe(String(codePoints(text)))
      if (response_mode === 'json') expect(body.characters_billed).toBe(Number(codePoints(text)))
    }
    expect((await api.post('/v1/audio/speech', { input: text, voice: voice.id, model: 'tts-1' })).status).toBe(200)
    expect(await spentAtRest(api, '100')).toBe(4n * codePoints(text) * pricePerCharacter)
  })

  test('a request that was refused, or could not be spoken, costs nothing', async () => {
    const { api } = await newWorkspace('1')
    expectError(await speak(api, 'Hello.', { voice_id: '0'.repeat(32) }), 404, 'voice_not_found')
    expectError(await speak(api, 'Hello.', { tts_variant: 'no-such' }), 400, 'invalid_request')
    expectError(await speak(api, 'Hello.', { language: 'xx' }), 400, 'invalid_request')
    expect(await spentAtRest(api, '1')).toBe(0n)
  })

  test('a request without credit for its whole text is refused before anything is spoken', async () => {
    const { api: beggar } = await newWorkspace(null)
    const { api: poor } = await newWorkspace('0.000001')
    const before = await audioSeconds()
    for (const response_mode of ['audio', 'json', 'sse']) {
      for (const api of [beggar, poor]) {
        expectError(await speak(api, 'Hello.', { response_mode }), 402, 'insufficient_credit')
      }
    }
    expect(await audioSeconds()).toBe(before)
    expect(await spentAtRest(poor, '0.000001')).toBe(0n)
    const { api: rich } = await newWorkspace('1')
    await speak(rich, 'Hello.')
    expect(await audioSeconds()).toBeGreaterThan(before)
  })

  test('the last credit is spent once and never below zero, through every gateway at once', async () => {
    const text = 'x'.repeat(10)
    const price = codePoints(text) * pricePerCharacter
    // Credit for seven of thirty simultaneous requests.
    const granted = `0.${(price * 7n + price / 2n).toString().padStart(9, '0')}`
    const { authorization } = await newWorkspace(granted)
    const apis = platform().urls.map((url) => createApi(url, authorization))
    let asking = true
    const watching = (async () => {
      const seen: bigint[] = []
      while (asking) seen.push(nano((await apis[0]!.get('/v1/credit')).body.balance))
      return seen
    })()
    /** Retries after `Retry-After` where the engines are busy; by then its reservation has returned. */
    const speakOnce = async (by: Api): Promise<Answer> => {
      const answer = await speak(by, text)
      if (answer.status !== 503) return answer
      await delay(Number(answer.headers.get('retry-after')) * 1_000)
      return speakOnce(by)
    }
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => speakOnce(apis[n % apis.length]!)))
    asking = false
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 402, 'insufficient_credit')
    expect(await spentAtRest(apis[0]!, granted)).toBe(price * 7n)
    for (const balance of await watching) expect(balance).toBeGreaterThanOrEqual(price / 2n)
  })

  test.each([
    { output: { format: 'mp3', bit_rate: 64_000 }, bytesPerSecond: 8_000 },
    { output: { format: 'ulaw' }, bytesPerSecond: 8_000 },
  ])(
    'a caller of $output.format that disconnects pays for what it received, up to a word, and the rest is returned',
    async ({ output, bytesPerSecond }) => {
      const { api, authorization } = await newWorkspace('100')
      const sentence = 'This is one of a great many sentences, each of them said in turn. '
      const text = sentence.repeat(75)
      const spoken = { voice_id: voice.id, speed: 0.5, output }
      const { body: short } = await api.post('/v1/tts', { ...spoken, text: sentence.repeat(4), response_mode: 'json' })
      const charactersPerSecond = (4_000 * sentence.length) / short.audio_duration_ms
      const before = await spentAtRest(api, '100')
      const controller = new AbortController()
      const response = await fetch(`${platform().urls[0]}/v1/tts`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ ...spoken, text }),
        signal: controller.signal,
      })
      const whole = codePoints(text) * pricePerCharacter
      expect(await creditOf(api)).toEqual({ balance: nano('100') - before, reserved: whole })
      // A segment has up to 300 characters, which is up to 40 seconds at this speed.
      const moreThanASegment = 2 * 40 * bytesPerSecond
      const reader = response.body!.getReader()
      let bytes = 0
      while (bytes < moreThanASegment) bytes += (await reader.read()).value!.length
      controller.abort()
      const spent = (await spentAtRest(api, '100')) - before
      expect(spent % pricePerCharacter).toBe(0n)
      const characters = Number(spent / pricePerCharacter)
      // The text has 4,950. Some seconds of audio are on their way when the caller disconnects.
      expect(Math.abs(characters - (bytes / bytesPerSecond) * charactersPerSecond)).toBeLessThan(400)
      expect(text.slice(0, characters)).toMatch(/[\p{L},.]$/u)
      expect(text[characters]).toBe(' ')
    },
  )

  test('usage has the same sum by day, agent, key and kind, and the balance is the rest of the grant', async () => {
    const { api, workspaceId } = await newWorkspace('100')
    const { id: otherId, key } = await platform().auth.createKey({ workspace_id: workspaceId, label: 'Other' })
    const other = createApi(platform().urls.at(-1)!, `Bearer ${key}`)
    const texts = ['Hello.', 'One. Two. Three.']
    for (const text of texts) expect((await speak(api, text)).status).toBe(200)
    expect((await speak(other, texts[1]!)).status).toBe(200)

    const spent = await spentAtRest(api, '100')
    expect(spent).toBe((codePoints(texts[0]!) + 2n * codePoints(texts[1]!)) * pricePerCharacter)
    for (const grouping of ['day', 'agent', 'api_key', 'kind']) {
      const groups = await usageBy(other, grouping)
      expect(sum(groups.map(({ credit_used }) => nano(credit_used)))).toBe(spent)
      expect(sum(groups.map(({ operations }) => BigInt(operations)))).toBe(3n)
      expect(sum(groups.map(({ tts_characters }) => BigInt(tts_characters))) * pricePerCharacter).toBe(spent)
    }
    expect((await usageBy(api, 'agent')).map(({ key }) => key)).toEqual([null])
    expect((await usageBy(api, 'kind')).map(({ key }) => key)).toEqual(['tts'])
    const byKey = await usageBy(api, 'api_key')
    expect(byKey).toHaveLength(2)
    expect(byKey.find(({ key }) => key === otherId)).toMatchObject({ operations: 1 })
    expect((await api.get('/v1/usage?from=2000-01-01&to=2000-12-31')).body.usage).toEqual([])
  })

  test('a repeated JSON speech with one Idempotency-Key is made and paid once', async () => {
    const { api } = await newWorkspace('100')
    const key = { 'idempotency-key': randomUUID() }
    const body = { text: 'Hello.', voice_id: voice.id, output: { format: 'ulaw' }, response_mode: 'json' }
    const [first, second] = [await api.post('/v1/tts', body, key), await api.post('/v1/tts', body, key)]
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect(await spentAtRest(api, '100')).toBe(6n * pricePerCharacter)
  })

  test('afterwards ledger and counter agree, for every workspace', async () => {
    const { workspaces } = await platform().credit.reconcile({})
    expect(workspaces.length).toBeGreaterThan(0)
    for (const { ledger_difference, counter_difference } of workspaces) {
      expect(Number(ledger_difference)).toBe(0)
      expect(Number(counter_difference ?? 0)).toBe(0)
    }
  })
})

import { setTimeout as delay } from 'node:timers/promises'
import { type RoutedVoice, ServiceError } from '@parlance/contracts'
import { vi } from 'vitest'
import { createVoicePrices } from '../../src/speech/voice-prices.js'

const context = { requestId: 'test-request' }
const request = (voice = 'Ada', variant: string | null = null) => ({ voice, variant })
const variantPriced = (credit_per_1k_characters: string) => ({
  id: 'standard',
  engine: 'espeak-ng',
  formats: ['mp3'],
  credit_per_1k_characters,
})
const adaPriced = (credit: string) => {
  const variants = [variantPriced(credit)]
  return { id: 'ada-id', display_name: 'Ada', languages: ['en-GB'], tags: [] as string[], variants } as RoutedVoice
}
const priced = (credit: string) => ({ voice: adaPriced(credit), variant: variantPriced(credit) })

/** A catalog whose replies the test controls; the price identifies the reply. */
const createCatalog = () => {
  const asked: { answer: () => void; fail: (error: Error) => void }[] = []
  return {
    asked,
    findVoice: () =>
      new Promise<RoutedVoice>((resolve, reject) => {
        const voice = adaPriced(`0.${asked.length + 1}`)
        asked.push({ answer: () => resolve(voice), fail: reject })
      }),
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

/** Moves the clock forward. */
const pass = async (ms: number) => {
  const nowMs = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(nowMs + ms)
  // The cache reads the clock again only after a millisecond.
  await delay(5)
}

test('simultaneous requests share one look-up, in whatever case they write the name', async () => {
  const catalog = createCatalog()
  const priceOf = createVoicePrices({ catalog })
  const prices = [priceOf(request(), context), priceOf(request('ADA', 'standard'), context)]
  catalog.asked[0]!.answer()
  expect(await Promise.all(prices)).toEqual([priced('0.1'), priced('0.1')])
  expect(catalog.asked).toHaveLength(1)
})

test('a failed look-up is not cached', async () => {
  const catalog = createCatalog()
  const priceOf = createVoicePrices({ catalog })
  const first = priceOf(request(), context)
  catalog.asked[0]!.fail(new ServiceError('unavailable', 'Try again.'))
  await expect(first).rejects.toThrow('unavailable')
  const second = priceOf(request(), context)
  catalog.asked[1]!.answer()
  expect(await second).toEqual(priced('0.2'))
})

test('a voice in use is refreshed before it expires, and no caller waits for that', async () => {
  const catalog = createCatalog()
  const priceOf = createVoicePrices({ catalog })
  const first = priceOf(request(), context)
  catalog.asked[0]!.answer()
  await first
  await pass(6_000)
  expect(await priceOf(request(), context)).toEqual(priced('0.1'))
  expect(await priceOf(request(), context)).toEqual(priced('0.1'))
  expect(catalog.asked).toHaveLength(2)
  catalog.asked[1]!.answer()
  await delay(0)
  expect(await priceOf(request(), context)).toEqual(priced('0.2'))
})

test('a voice that is too old is looked up again before it is used', async () => {
  const catalog = createCatalog()
  const priceOf = createVoicePrices({ catalog })
  const first = priceOf(request(), context)
  catalog.asked[0]!.answer()
  await first
  await pass(10_001)
  const second = priceOf(request(), context)
  catalog.asked[1]!.answer()
  expect(await second).toEqual(priced('0.2'))
})

test('the cache has a maximum size, and keeps the voices found last', async () => {
  const asked: string[] = []
  const variants = [{ id: 'standard', engine: 'espeak-ng', credit_per_1k_characters: '1' }]
  const findVoice = async ({ voice }: { voice: string }) => {
    asked.push(voice)
    return { id: voice, display_name: voice, languages: ['en'], tags: [] as string[], variants } as RoutedVoice
  }
  const priceOf = createVoicePrices({ catalog: { findVoice } })
  for (let n = 0; n <= 1_000; n++) await priceOf(request(`voice ${n}`), context)
  asked.length = 0
  await priceOf(request('voice 1000'), context)
  await priceOf(request('voice 0'), context)
  expect(asked).toEqual(['voice 0'])
})

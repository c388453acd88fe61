import { createClient, createInProcessBus, serve } from '@parlance/bus'
import { catalogContract, visemeIds, voicePageSchema, voiceSchema } from '@parlance/contracts'
import fc from 'fast-check'
import { createAvatarDirectory } from '../src/avatar-directory.js'
import { createHandlers } from '../src/handlers.js'
import { createVoiceDirectory } from '../src/voice-directory.js'
import { offeredVoice } from './offered-voice.js'

const one = { instanceId: 'one', engine: 'espeak-ng', synthesis: 'formant', part: 0 } as const

const openCatalog = async (names: string[]) => {
  const bus = createInProcessBus()
  let nowMs = 0
  const directory = createVoiceDirectory({ nowMs: () => nowMs, connected: bus.connected })
  // All engines have offered their voices.
  nowMs = 10_000
  directory.offer(
    one,
    names.map((display_name) => offeredVoice({ display_name })),
  )
  await serve(bus, catalogContract, createHandlers(directory, createAvatarDirectory()), { instanceId: 'catalog' })
  return { directory, client: createClient(bus, catalogContract) }
}

const walk = async (client: Awaited<ReturnType<typeof openCatalog>>['client'], limit: number) => {
  const names: string[] = []
  let cursor: string | null = null
  do {
    const page: { voices: { display_name: string }[]; next_cursor: string | null } = await client.listVoices(
      cursor === null ? { limit } : { limit, cursor },
    )
    names.push(...page.voices.map(({ display_name }) => display_name))
    cursor = page.next_cursor
  } while (cursor !== null)
  return names
}

test('paging shows every voice once, in order, with any page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      async (names, limit) => {
        const { client } = await openCatalog(names)
        const walked = await walk(client, limit)
        expect([...walked].sort()).toEqual([...names].sort())
        expect(new Set(walked).size).toBe(names.length)
      },
    ),
    { numRuns: 50 },
  )
})

test('a voice that is removed between two pages makes no other voice repeat or vanish', async () => {
  const { client, directory } = await openCatalog(['A', 'B', 'C', 'D'])
  const first = await client.listVoices({ limit: 2 })
  directory.offer(
    one,
    ['A', 'C', 'D'].map((display_name) => offeredVoice({ display_name })),
  )
  const second = await client.listVoices({ limit: 2, cursor: first.next_cursor! })
  expect(second.voices.map(({ display_name }) => display_name)).toEqual(['C', 'D'])
  expect(second.next_cursor).toBeNull()
})

test('a page that is cached as bytes matches the contract, and is renewed when the voices change', async () => {
  const { client, directory } = await openCatalog(['Ada'])
  const bytes = await client.raw.listVoices({})
  const strict = voicePageSchema.extend({
    voices: voiceSchema.extend({ variants: voiceSchema.shape.variants.element.strict().array() }).strict().array(),
  })
  expect(strict.parse(JSON.parse(Buffer.from(bytes).toString())).voices).toHaveLength(1)
  directory.offer({ ...one, instanceId: 'two' }, [offeredVoice({ display_name: 'Bo' })])
  expect((await client.listVoices({})).voices).toHaveLength(2)
})

describe('by language', () => {
  const speaking = async () => {
    const { client, directory } = await openCatalog([])
    const voices = Object.entries({ Ada: ['en-GB', 'en'], Clara: ['de-DE'], Eno: ['eno'], Zoe: ['fr', 'en-US'] })
    const offered = voices.map(([display_name, languages]) => offeredVoice({ display_name, languages }))
    directory.offer(one, offered.slice(0, 3))
    directory.offer({ ...one, engine: 'kokoro', synthesis: 'neural' }, offered.slice(3))
    const names = async (language: string) =>
      (await client.listVoices({ language })).voices.map(({ display_name }) => display_name)
    return { client, directory, names }
  }

  test.each([
    ['en', ['Zoe', 'Ada']],
    ['EN', ['Zoe', 'Ada']],
    ['en-GB', ['Ada']],
    ['en-us', ['Zoe']],
    ['fr', ['Zoe']],
    ['de', ['Clara']],
    ['eno', ['Eno']],
    ['it', []],
  ])('%s keeps those that speak it, the best first', async (language, expected) => {
    expect(await (await speaking()).names(language)).toEqual(expected)
  })

  test('pages of one language follow each other, also when a better voice comes between two of them', async () => {
    const { client, directory } = await speaking()
    const first = await client.listVoices({ language: 'en', limit: 1 })
    expect(first.voices.map(({ display_name }) => display_name)).toEqual(['Zoe'])
    const better = { ...one, engine: 'other', synthesis: 'neural' } as const
    directory.offer(better, [offeredVoice({ display_name: 'Abe', languages: ['en'] })])
    const second = await client.listVoices({ language: 'en', limit: 1, cursor: first.next_cursor! })
    expect(second.voices.map(({ display_name }) => display_name)).toEqual(['Ada'])
    expect(second.next_cursor).toBeNull()
  })

  test.each(['', 'e', 'english, please', 'en_GB', 'en-', 'x'.repeat(40)])('%j is refused', async (language) => {
    const { client } = await speaking()
    await expect(client.listVoices({ language })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

test('the voices of one method of synthesis are those that no more natural engine speaks', async () => {
  const { client, directory } = await openCatalog(['Ada', 'Bo'])
  const names = async (synthesis: 'neural' | 'formant') =>
    (await client.listVoices({ synthesis })).voices.map(({ display_name }) => display_name)
  expect([await names('neural'), await names('formant')]).toEqual([[], ['Ada', 'Bo']])
  directory.offer({ ...one, engine: 'kokoro', synthesis: 'neural' }, [offeredVoice({ display_name: 'Bo' })])
  expect([await names('neural'), await names('formant')]).toEqual([['Bo'], ['Ada']])
})

test.each(['', '!', 'x'.repeat(257), '%00'])('the cursor %j is refused', async (cursor) => {
  const { client } = await openCatalog(['Ada'])
  await expect(client.listVoices({ cursor })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('the avatars come in pages, each with what a browser needs to load it and to move its mouth', async () => {
  const { client } = await openCatalog([])
  const all = await client.listAvatars({})
  expect(all.next_cursor).toBeNull()
  const names = all.avatars.map(({ display_name }) => display_name)
  expect(names.length).toBeGreaterThanOrEqual(3)
  expect(names).toEqual([...names].sort())
  for (const avatar of all.avatars) {
    expect(Object.keys(avatar.viseme_morph_targets)).toEqual([...visemeIds])
    expect(avatar.asset.url).toBe(`/assets/avatars/${avatar.asset.sha256}.glb`)
    await expect(client.findAvatar({ avatar_id: avatar.id })).resolves.toEqual(avatar)
  }
  const first = await client.listAvatars({ limit: 1 })
  const rest = await client.listAvatars({ limit: 100, cursor: first.next_cursor! })
  expect([...first.avatars, ...rest.avatars]).toEqual(all.avatars)
})

test('an unknown avatar and an invalid cursor are refused', async () => {
  const { client } = await openCatalog([])
  await expect(client.findAvatar({ avatar_id: 'unknown' })).rejects.toMatchObject({ code: 'avatar_not_found' })
  await expect(client.listAvatars({ cursor: '!' })).rejects.toMatchObject({ code: 'invalid_request' })
})

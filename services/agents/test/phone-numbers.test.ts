import { randomBytes, randomUUID } from 'node:crypto'
import { parsePeppers } from '@parlance/clients/api-key'
import { createModelKeys } from '@parlance/clients/model-keys'
import { newPhoneNumberSchema } from '@parlance/contracts'
import type { Database } from '@parlance/store'
import { describeWithPrograms, weakenDatabases } from '@parlance/testing'
import { resealTable } from '../src/reseal.js'
import { config, type Installation, startInstallation } from './installation.js'

const secret = randomBytes(32).toString('base64')
const environment = { MODEL_PROVIDER_KEYS: `1:${secret}` }
const weakened = weakenDatabases()
const actor = { kind: 'person', id: randomUUID() } as const
const account_sid = `AC${'a'.repeat(32)}`
const missing = { code: 'not_found', detail: 'There is no such telephone number.' }

test.each([
  ['twilio', account_sid],
  ['telnyx', `${'A'.repeat(43)}=`],
  ['plivo', `MA${'0'.repeat(18)}`],
] as const)('an account of %s has the form of its network', (provider, valid) => {
  const entry = { number: '+4930123456', agent_id: randomUUID(), provider, auth_token: 'the-token-of-this-one' }
  expect(newPhoneNumberSchema.safeParse({ ...entry, account_sid: valid }).success).toBe(true)
  const { error } = newPhoneNumberSchema.safeParse({ ...entry, account_sid: `${valid}A` })
  expect(error?.issues).toEqual([expect.objectContaining({ path: ['account_sid'] })])
})

describeWithPrograms(['postgres'], 'the telephone numbers of a workspace', () => {
  describe.each([
    ['with all protections', (database: Database) => database],
    ['by row-level security alone', weakened.byRowsAlone],
    ['by the filters of the queries alone', weakened.byFiltersAlone],
  ] as const)('kept apart %s', (_name, wrap) => {
    let installation: Installation
    beforeAll(async () => {
      installation = await startInstallation({ wrap, environment })
    })
    afterAll(() => installation.stop())

    const entry = async (workspace_id: string, auth_token: string, number = '+4930123456') => {
      const { id: agent_id } = await installation.client.createAgent({ workspace_id, config: config() })
      return { workspace_id, number: { number, agent_id, account_sid, auth_token }, actor }
    }

    test('are listed without their auth tokens and without those of other workspaces', async () => {
      const { phoneNumbers } = installation
      const [here, there] = [randomUUID(), randomUUID()]
      const mine = await phoneNumbers.addNumber(await entry(here, 'the-token-of-this-one'))
      const theirs = await phoneNumbers.addNumber(await entry(there, 'the-token-of-the-other'))
      expect(await phoneNumbers.listNumbers({ workspace_id: here })).toEqual({ numbers: [mine] })
      expect(JSON.stringify(mine)).not.toContain('the-token')
      for (const number_id of [theirs.id, randomUUID()]) {
        const address = { workspace_id: here, number_id }
        await expect(phoneNumbers.deleteNumber({ ...address, actor })).rejects.toMatchObject(missing)
        await expect(phoneNumbers.openNumber(address)).rejects.toMatchObject(missing)
      }
      expect(await phoneNumbers.openNumber({ workspace_id: here, number_id: mine.id })).toMatchObject({
        auth_token: 'the-token-of-this-one',
      })
      // The signature of a request decides between the two.
      const { numbers } = await phoneNumbers.openNumbers({ provider: 'twilio', number: mine.number, account_sid })
      expect(numbers.filter(({ workspace_id }) => [here, there].some((id) => id === workspace_id))).toEqual([
        expect.objectContaining({ workspace_id: here, id: mine.id, auth_token: 'the-token-of-this-one' }),
        expect.objectContaining({ workspace_id: there, id: theirs.id, auth_token: 'the-token-of-the-other' }),
      ])
      // Not every network tells the account.
      const ofAnyAccount = await phoneNumbers.openNumbers({ provider: 'twilio', number: mine.number })
      expect(ofAnyAccount.numbers).toEqual(expect.arrayContaining(numbers))
      const ofAnotherNetwork = await phoneNumbers.openNumbers({ provider: 'plivo', number: mine.number })
      expect(ofAnotherNetwork).toEqual({ numbers: [] })
      await phoneNumbers.deleteNumber({ workspace_id: here, number_id: mine.id, actor })
      expect(await phoneNumbers.listNumbers({ workspace_id: here })).toEqual({ numbers: [] })
    })

    test('have one Agent each, which is of the same workspace', async () => {
      const { phoneNumbers } = installation
      const [here, there] = [randomUUID(), randomUUID()]
      const [mine, theirs] = [await entry(here, 'the-token-of-this-one'), await entry(there, 'the-token-of-the-other')]
      await expect(phoneNumbers.addNumber({ ...theirs, workspace_id: here })).rejects.toMatchObject({
        code: 'agent_not_found',
      })
      await phoneNumbers.addNumber(mine)
      await expect(phoneNumbers.addNumber(mine)).rejects.toMatchObject({
        code: 'invalid_request',
        detail: 'number: has an Agent already',
      })
    })
  })

  test('are sealed again under a new master key', async () => {
    const installation = await startInstallation({ environment })
    const { client, phoneNumbers, database } = installation
    const workspace_id = randomUUID()
    const { id: agent_id } = await client.createAgent({ workspace_id, config: config() })
    const number = { number: '+4930777777', agent_id, account_sid, auth_token: 'the-token-of-this-one' }
    const { id: number_id } = await phoneNumbers.addNumber({ workspace_id, number, actor })
    const rotated = parsePeppers(`2:${randomBytes(32).toString('base64')},1:${secret}`)
    expect(await resealTable(database, 'phone_numbers', createModelKeys(rotated, 'phone').reseal)).toBe(1)
    await expect(phoneNumbers.openNumber({ workspace_id, number_id })).rejects.toMatchObject({ code: 'unavailable' })
    const opened = await phoneNumbers.openNumbers({ provider: 'twilio', number: number.number, account_sid })
    expect(opened).toEqual({ numbers: [] })
    await installation.stop()
  })
})

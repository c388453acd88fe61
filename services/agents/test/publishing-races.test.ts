import { describeWithPrograms } from '@parlance/testing'
import { type AgentsClient, callsOfOneWorkspace, type Installation, startInstallation } from './installation.js'

describeWithPrograms(['postgres'], 'publishing, while the catalog is called', () => {
  let installation: Installation
  let client: AgentsClient
  const { at, create, read, patch, publish } = callsOfOneWorkspace(() => client)

  beforeAll(async () => {
    installation = await startInstallation()
    client = installation.client
  })
  afterAll(() => installation.stop())

  test('answers unavailable while the catalog cannot be reached, and publishes nothing', async () => {
    const agent = await create()
    await installation.withoutCatalog(async () => {
      await expect(publish(agent)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(client.checkPublish(at(agent))).rejects.toMatchObject({ code: 'unavailable' })
      expect(await read(agent)).toEqual(agent)
    })
    expect(await publish(agent)).toMatchObject({ created: true })
  })

  test('rejects with unavailable when the reply of the catalog is not a voice', async () => {
    const agent = await create()
    const failing = async () => {
      throw new Error('the catalog is broken')
    }
    await installation.whileCatalogAnswers(failing, () =>
      expect(publish(agent)).rejects.toMatchObject({ code: 'unavailable' }),
    )
  })

  test('a draft that changes while it is checked is checked again, and the newest is published', async () => {
    const agent = await create({ description: '0' })
    let changes = 0
    const { publication } = await installation.whileCatalogAnswers(
      async () => {
        if (changes < 3) await patch(agent, { description: `${++changes}` })
      },
      () => publish(agent),
    )
    expect(publication).toMatchObject({ version: 1, revision: { version: 4 } })
    expect((await client.getPublished(at(agent))).config.description).toBe('3')
  })

  test('a draft that becomes invalid during the check is not published', async () => {
    const agent = await create()
    const spoil = async () => {
      await patch(agent, { voice_id: 'b'.repeat(32) })
    }
    await installation.whileCatalogAnswers(spoil, () =>
      expect(publish(agent)).rejects.toMatchObject({ code: 'agent_not_publishable' }),
    )
    await expect(client.getPublished(at(agent))).rejects.toMatchObject({ code: 'agent_not_published' })
  })

  test('an Agent that is deleted during the check is not published', async () => {
    const agent = await create()
    const spoil = async () => {
      await client.deleteAgent(at(agent)).catch(() => {})
    }
    await installation.whileCatalogAnswers(spoil, () =>
      expect(publish(agent)).rejects.toMatchObject({ code: 'agent_not_found' }),
    )
  })

  test('a version that was expected must still be the draft when the publication is made', async () => {
    const agent = await create()
    const change = async () => {
      await patch(agent, { description: 'new' })
    }
    await installation.whileCatalogAnswers(change, () =>
      expect(publish(agent, { expected_version: 1 })).rejects.toMatchObject({ code: 'revision_conflict' }),
    )
    expect((await read(agent)).active_publication).toBeNull()
  })
})

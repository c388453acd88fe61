import { describeWithPrograms } from '@parlance/testing'
import { openBrowser, type PeopleScene, startPeople } from './people-scene.js'

describeWithPrograms(['postgres'], 'operators', () => {
  let scene: PeopleScene
  beforeAll(async () => {
    scene = await startPeople({ withMail: false })
  })
  afterAll(() => scene?.stop())

  test('a person is an operator from the next request on until removed, with any role', async () => {
    const workspaceId = await scene.newWorkspace()
    const { id, email, name } = await scene.newMember(workspaceId, 'owner')
    const browser = openBrowser(scene)
    await browser.signIn(email)
    const cookie = browser.cookie()
    const isOperator = async () => (await scene.people.getSignedIn({ cookie })).is_operator
    expect(await isOperator()).toBe(false)
    await expect(scene.people.getOperator({ cookie })).rejects.toMatchObject({ code: 'forbidden_role' })

    for (const _ of [1, 2]) await scene.people.setOperator({ email: email.toUpperCase(), is_operator: true })
    expect(await isOperator()).toBe(true)
    expect(await scene.people.getOperator({ cookie })).toEqual({ id, email, name })
    expect(await scene.people.listOperators({})).toEqual({ operators: [{ id, email, name }] })

    await scene.people.setOperator({ email, is_operator: false })
    expect(await isOperator()).toBe(false)
    await expect(scene.people.getOperator({ cookie })).rejects.toMatchObject({ code: 'forbidden_role' })
    await expect(scene.people.getOperator({ cookie: '' })).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await scene.people.listOperators({})).toEqual({ operators: [] })
  })

  test('an address without a person is refused', async () => {
    const unknown = { email: 'nobody@example.com', is_operator: true }
    await expect(scene.people.setOperator(unknown)).rejects.toMatchObject({ code: 'not_found' })
  })
})

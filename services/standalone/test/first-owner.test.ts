import { randomUUID } from 'node:crypto'
import { createInProcessBus, type ServedContract, serve } from '@parlance/bus'
import { contract, peopleContract, type WorkspaceMember } from '@parlance/contracts'
import { firstOwnerEmail, openOwnerLink } from '../src/first-owner.js'

const { listMembers, addPerson, setOperator, createAccountLink } = peopleContract.methods
const served = contract({ ...peopleContract, methods: { listMembers, addPerson, setOperator, createAccountLink } })

let members: WorkspaceMember[]
let operators: string[]
let publicUrl: string | undefined
let bus: ReturnType<typeof createInProcessBus>
let running: ServedContract

beforeEach(async () => {
  members = []
  operators = []
  publicUrl = undefined
  bus = createInProcessBus()
  let links = 0
  running = await serve(
    bus,
    served,
    {
      listMembers: () => ({ members }),
      addPerson({ email, name = '', role }) {
        const person = { id: randomUUID(), email, name }
        members.push({ ...person, role, has_password: false })
        return person
      },
      setOperator({ email }) {
        operators.push(email)
        return members.find((member) => member.email === email)!
      },
      createAccountLink({ email, kind }) {
        links += 1
        const path = `/${kind}/${email}/${links}`
        return { path, url: publicUrl ? `${publicUrl}${path}` : null, expires_at: '2026-01-31T09:30:00.000Z' }
      },
    },
    { instanceId: 'test' },
  )
})
afterEach(async () => {
  await running.stop()
  await bus.close()
})

const open = () => openOwnerLink({ bus, workspaceId: randomUUID(), url: 'http://127.0.0.1:8080' })

test('the first start creates an Owner who is an operator, and each start a new link for the same Owner', async () => {
  expect(await open()).toBe(`http://127.0.0.1:8080/sign_in/${firstOwnerEmail}/1`)
  expect(await open()).toBe(`http://127.0.0.1:8080/sign_in/${firstOwnerEmail}/2`)
  expect(members).toMatchObject([{ email: firstOwnerEmail, role: 'owner' }])
  expect(operators).toEqual([firstOwnerEmail])
})

test('the link has the public address when the services know it', async () => {
  publicUrl = 'https://speech.example.com'
  expect(await open()).toBe(`https://speech.example.com/sign_in/${firstOwnerEmail}/1`)
})

test('an Owner whose address was changed gets the link', async () => {
  await open()
  members = [{ ...members[0]!, email: 'ada@example.com' }]
  expect(await open()).toContain('/ada@example.com/')
  expect(operators).toEqual([firstOwnerEmail])
})

test('there is no link once a member has a password', async () => {
  await open()
  members = [{ ...members[0]!, has_password: true }]
  expect(await open()).toBeUndefined()
})

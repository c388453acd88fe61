import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from './eventually.js'
import { ask, begin, expectRefusal, newFolder, type Place, run, unknownId } from './operator-command.js'

describe('parlance while no service runs', () => {
  let place: Place
  beforeAll(async () => {
    place = { folder: await newFolder() }
    const { code, output, errors } = await run(place, 'workspace', 'list')
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('There is no workspace yet') })
    expect(errors).toMatch(/^Parlance was never started here\. Creating \S+\.parlance for its data\.\n$/)
  })
  afterAll(() => rm(place.folder, { recursive: true, force: true }))

  // Each command starts and stops a database, which is slow; `operator.test.ts` covers all commands.
  test('the next command finds what a command has stored', async () => {
    const { workspace } = await ask(place, 'workspace', 'create', 'Acme', '--credit', '12.5', '--key', 'First')
    expect((await ask(place, 'workspace', 'list')).workspaces).toContainEqual(workspace)
    expect(await ask(place, 'credit', 'show', workspace.id)).toMatchObject({ balance: '12.50' })
    await expectRefusal(place, ['workspace', 'show', unknownId], /parlance workspace list/)
  })

  const database = async () => {
    const file = join(place.folder, '.parlance/postgres/data/postmaster.pid')
    const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
    return pid > 0 ? pid : undefined
  }

  test('no process is left afterwards', async () => {
    await run(place, 'workspace', 'list')
    expect(await database()).toBeUndefined()
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it and its children without output', async (signal) => {
    const { child, ended } = begin(place, ['workspace', 'list'])
    await eventually(database)
    child.kill(signal)
    expect(await ended).toEqual({ code: signal === 'SIGINT' ? 130 : 143, output: '', errors: '' })
    expect(await database()).toBeUndefined()
  })

  test('commands that run at the same time wait for each other, and all succeed', async () => {
    const names = ['Ada', 'Ben', 'Cleo']
    const answers = await Promise.all(names.map((name) => run(place, 'workspace', 'create', name)))
    for (const { code, errors } of answers) expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const { workspaces } = await ask(place, 'workspace', 'list')
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names))
  })

  test('a database that other services may use is not touched', () =>
    expectRefusal(
      { ...place, environment: { DATABASE_URL: 'postgres://user:secret@127.0.0.1/parlance' } },
      ['workspace', 'list'],
      /^(?!.*secret).*NATS_URL/,
    ))

  test('a data folder whose path is too long for a socket is refused with one line', () =>
    expectRefusal(
      { ...place, environment: { PARLANCE_DATA: join(place.folder, 'd'.repeat(200)) } },
      ['workspace', 'list'],
      /too long.*PARLANCE_DATA/,
    ))
})

import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { traffic } from '@parlance/cli'
import { createFakeServices } from './fake-services.js'

const { run } = createFakeServices()

describe('parlance nats-accounts', () => {
  let folder: string
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'parlance-nkeys-')), 'keys')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test('creates an nkey for each user, whose seed only its owner may read, and keeps existing ones', async () => {
    const first = await run(`nats-accounts --nkeys ${folder}`)
    expect(first.exitCode).toBe(0)
    const files = await readdir(folder)
    expect(files.sort()).toEqual(
      Object.keys(traffic)
        .map((user) => `${user}.nk`)
        .sort(),
    )
    for (const file of files) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
      const seed = await readFile(join(folder, file), 'utf8')
      expect(seed).toMatch(/^SU[A-Z2-7]{56}$/)
      expect(first.output).not.toContain(seed)
    }
    expect(first.output.match(/nkey: U[A-Z2-7]{55}\n/g)).toHaveLength(files.length)
    await rm(join(folder, 'tts.nk'))
    const second = await run(`nats-accounts --nkeys ${folder}`)
    const changed = second.output.split('\n').filter((line) => !first.output.includes(line))
    expect(changed).toEqual([expect.stringMatching(/^ {6}nkey: U/)])
  })
})

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
  type Permissions,
} from '@nats-io/jwt'
import { describeWithPrograms, startNatsServer } from '@parlance/testing'
import { natsPermissionsOf } from '../cli/src/nats/nats-permissions.js'
import { createCertificateAuthority } from '../libs/bus/test/nats/certificates.js'
import { createApi } from './api.js'
import { root, testedCommands } from './documents.js'
import { newKey, startTogether } from './platforms.js'
import { publishAgent } from './publish-agent.js'

/** The server treats a missing limit as zero. */
const unlimited = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true }

/** NATS over TLS, whose users have credentials files in the folder: `cli.creds` with its permissions, `services.creds` with all. */
const startSecuredNats = async (folder: string) => {
  const [operator, account] = [createOperator(), createAccount()]
  const writeCreds = async (name: string, permissions: Permissions) => {
    const user = createUser()
    const jwt = await encodeUser(name, user, account, permissions)
    await writeFile(join(folder, `${name}.creds`), fmtCreds(jwt, user))
  }
  const { publish, subscribe } = natsPermissionsOf('cli')
  await writeCreds('cli', { pub: { allow: [...publish] }, sub: { allow: [...subscribe] } })
  await writeCreds('services', {})
  const accountJwt = await encodeAccount('account', account, { limits: unlimited }, { signer: operator })
  const authority = await createCertificateAuthority(folder, 'authority')
  const { certFile, keyFile } = await authority.issue('server', { dns: ['localhost'] })
  // By default the server waits 2 s for a signature or a handshake, which takes longer on a busy machine.
  const configuration = `
    operator: ${await encodeOperator('operator', operator)}
    resolver: MEMORY
    resolver_preload: { ${account.getPublicKey()}: ${accountJwt} }
    authorization { timeout: 30 }
    tls { timeout: 30, cert_file: "${certFile}", key_file: "${keyFile}" }`
  const file = join(folder, 'nats.conf')
  await writeFile(file, configuration)
  return { server: await startNatsServer({ args: ['--config', file] }), caFile: authority.caFile }
}

describeWithPrograms(['nats'], 'the profiles of the command line', () => {
  test('that the documentation adds reach the services over TLS as the user of NATS of a credentials file, and the API by a key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-profiles-'))
    const { server, caFile } = await startSecuredNats(folder)
    const address = `localhost:${server.port}`
    const platform = await startTogether({
      NATS_URL: `tls://${address}`,
      NATS_CREDS_FILE: join(folder, 'services.creds'),
      NATS_TLS_CA_FILE: caFile,
    })
    try {
      const { workspace, key, authorization } = await newKey(platform)
      const api = createApi(platform.urls[0], authorization)
      const agent = await publishAgent(api, { voice: await api.voice(), slug: 'front-desk' })

      // tests/standalone.test.ts runs the other commands of a workspace.
      const [, ofApi, ofOperators] = testedCommands('cli/README.md')
      const [addWork] = ofApi!.split('\n')
      const commands = `${addWork}\n${ofOperators}`
        .replace('https://speech.example.com', platform.urls[0])
        .replace('awp_prd_...', key.key)
        .replace('nats.example.com:4222', address)
      const program = `parlance() { '${process.execPath}' '${join(root, 'cli/bin/parlance.mjs')}' "$@"; }`
      const { stdout } = await promisify(execFile)('bash', ['-euc', `${program}\n${commands}`], {
        cwd: folder,
        // The authority is trusted as public ones are.
        env: { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, NODE_EXTRA_CA_CERTS: caFile },
      })
      expect(stdout).toMatch(new RegExp(`^operations +yes +tls://${address}$`, 'm'))
      expect(stdout).toContain(workspace.id)
      expect(stdout).toContain(agent)
    } finally {
      await platform.stop()
      await server.stop()
      await rm(folder, { recursive: true })
    }
  })
})

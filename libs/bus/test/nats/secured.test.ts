import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
} from '@nats-io/jwt'
import { createUser as createNkeyUser } from '@nats-io/nkeys'
import { describeWithPrograms, startNatsServer, type TestServer } from '@parlance/testing'
import { connectNatsBus, type NatsBusOptions, type NatsCredentials } from '../../src/index.js'
import { busSuite } from '../bus-suite.js'
import { createCertificateAuthority } from './certificates.js'

type Access = Pick<NatsBusOptions, 'credentials' | 'tls' | 'inboxPrefix'>

interface Secured {
  /** The server's configuration file. */
  readonly config: string
  /** What the client needs to be accepted. */
  readonly access: Access
  /** Credentials that must be refused. */
  readonly refused: Access
  readonly address?: (port: number) => string
}

/** By default the server waits 2 s for a signature or a handshake, which takes longer on a busy machine. */
const patienceSeconds = 30

const byPassword = async (): Promise<Secured> => ({
  config: 'authorization { user: ada, password: "p@ss" }',
  access: { credentials: { user: 'ada', password: 'p@ss' } },
  refused: { credentials: { user: 'ada', password: 'wrong' } },
})

const byToken = async (): Promise<Secured> => ({
  config: 'authorization { token: t0ken }',
  access: { credentials: { token: 't0ken' } },
  refused: { credentials: { token: 'wrong' } },
})

const byNkey = async (folder: string): Promise<Secured> => {
  const [known, unknown] = [createNkeyUser(), createNkeyUser()]
  const seedFile = async (name: string, seed: Uint8Array) => {
    const file = join(folder, name)
    await writeFile(file, `${Buffer.from(seed).toString()}\n`)
    return { credentials: { nkeySeedFile: file } }
  }
  return {
    config: `authorization { timeout: ${patienceSeconds}, users [{ nkey: ${known.getPublicKey()} }] }`,
    access: await seedFile('known.nk', known.getSeed()),
    refused: await seedFile('unknown.nk', unknown.getSeed()),
  }
}

/** The server treats a missing limit as zero. */
const unlimited = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true }

const byJwt = async (folder: string): Promise<Secured> => {
  const [operator, account, stranger] = [createOperator(), createAccount(), createAccount()]
  const credsFile = async (name: string, issuer: ReturnType<typeof createAccount>) => {
    const user = createUser()
    const file = join(folder, name)
    await writeFile(file, fmtCreds(await encodeUser(name, user, issuer), user))
    return { credentials: { credsFile: file } }
  }
  const accountJwt = await encodeAccount('account', account, { limits: unlimited }, { signer: operator })
  return {
    config: [
      `operator: ${await encodeOperator('operator', operator)}`,
      'resolver: MEMORY',
      `authorization { timeout: ${patienceSeconds} }`,
      `resolver_preload: { ${account.getPublicKey()}: ${accountJwt} }`,
    ].join('\n'),
    access: await credsFile('user.creds', account),
    refused: await credsFile('stranger.creds', stranger),
  }
}

interface ValidFor {
  readonly dns?: readonly string[]
  readonly ips?: readonly string[]
}

const overTls =
  (validFor: ValidFor, host: string) =>
  async (folder: string): Promise<Secured> => {
    const trusted = await createCertificateAuthority(folder, 'trusted')
    const other = await createCertificateAuthority(folder, 'other')
    const { certFile, keyFile } = await trusted.issue('server', validFor)
    return {
      config: `tls { timeout: ${patienceSeconds}, cert_file: "${certFile}", key_file: "${keyFile}" }`,
      access: { tls: { caFile: trusted.caFile } },
      refused: { tls: { caFile: other.caFile } },
      address: (port) => `tls://${host}:${port}`,
    }
  }

const byClientCertificate = async (folder: string): Promise<Secured> => {
  const authority = await createCertificateAuthority(folder, 'authority')
  const { caFile } = authority
  const server = await authority.issue('server', { dns: ['localhost'] })
  return {
    config: `tls { timeout: ${patienceSeconds}, cert_file: "${server.certFile}", key_file: "${server.keyFile}", ca_file: "${caFile}", verify: true }`,
    access: { tls: { caFile, ...(await authority.issue('client', { dns: ['client'] })) } },
    refused: { tls: { caFile } },
    address: (port) => `tls://localhost:${port}`,
  }
}

const withInboxPrefix = async (): Promise<Secured> => ({
  config: `authorization { users [
    { user: ada, password: p, permissions: { publish: ">", subscribe: { deny: "_INBOX.>" } } }
  ] }`,
  access: { credentials: { user: 'ada', password: 'p' }, inboxPrefix: '_INBOX_ada' },
  refused: { credentials: { user: 'ada', password: 'wrong' } },
})

describeWithPrograms(['nats'], 'the bus over a NATS server that asks for', () => {
  describe.each<[string, (folder: string) => Promise<Secured>]>([
    ['a password', byPassword],
    ['a token', byToken],
    ['an nkey', byNkey],
    ['JWT credentials', byJwt],
    ['TLS with a private certificate authority', overTls({ dns: ['localhost'] }, 'localhost')],
    ['TLS with a certificate for an IP address', overTls({ ips: ['127.0.0.1'] }, '127.0.0.1')],
    ["the client's certificate", byClientCertificate],
    ['an inbox prefix of its own', withInboxPrefix],
  ])('%s', (_, secure) => {
    let folder: string
    let server: TestServer
    let secured: Secured
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'nats-secured-'))
      secured = await secure(folder)
      const file = join(folder, 'nats.conf')
      await writeFile(file, secured.config)
      server = await startNatsServer({ args: ['--config', file] })
    })
    afterAll(async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    })
    const open = (access: Access, name: string) =>
      connectNatsBus({ url: secured.address?.(server.port) ?? server.url, name, ...access })

    busSuite(async () => {
      const [caller, callee] = await Promise.all([open(secured.access, 'caller'), open(secured.access, 'callee')])
      return {
        caller,
        callee,
        close: async () => {
          await Promise.all([caller.close(), callee.close()])
        },
      }
    })

    test('a client without the right credentials is refused', async () => {
      await expect(open(secured.refused, 'refused')).rejects.toMatchObject({ code: 'unavailable' })
    })
  })

  test('a server whose certificate is for another name is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nats-name-'))
    try {
      const cases: [ValidFor, string][] = [
        [{ dns: ['elsewhere.example'] }, 'localhost'],
        [{ dns: ['localhost'], ips: ['127.0.0.2'] }, '127.0.0.1'],
      ]
      for (const [validFor, host] of cases) {
        const { config, access } = await overTls(validFor, host)(folder)
        const file = join(folder, 'nats.conf')
        await writeFile(file, config)
        const server = await startNatsServer({ args: ['--config', file] })
        const failure = await connectNatsBus({ url: `tls://${host}:${server.port}`, name: 'x', ...access }).catch(
          (error) => error,
        )
        await server.stop()
        expect(failure).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('altnames') })
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test.each<[string, NatsCredentials, string]>([
    ['no nkey seed file', { nkeySeedFile: 'missing.nk' }, 'missing.nk'],
    ['no credentials file', { credsFile: 'missing.creds' }, 'missing.creds'],
    ['a credentials file without credentials', { credsFile: fileURLToPath(import.meta.url) }, 'parse'],
  ])('%s is reported in one clear error at once', async (_, credentials, part) => {
    await expect(connectNatsBus({ url: 'nats://127.0.0.1:1', name: 'x', credentials })).rejects.toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining(part),
    })
  })

  test('a server without TLS is refused where the address asks for it', async () => {
    const server = await startNatsServer()
    try {
      await expect(connectNatsBus({ url: `tls://127.0.0.1:${server.port}`, name: 'x' })).rejects.toMatchObject({
        code: 'unavailable',
        detail: expect.stringContaining('tls'),
      })
    } finally {
      await server.stop()
    }
  })
})

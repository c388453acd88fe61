import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createClient, createInProcessBus } from '@parlance/bus'
import { accountPath, auditContract, authContract, peopleContract, type Role } from '@parlance/contracts'
import { auth } from '@parlance/service-auth'
import { createMemoryTtlStore, openPostgresDatabase } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { patientClient, startPostgresServer } from '@parlance/testing'
import { SMTPServer } from 'smtp-server'
// Loaded before the first call, because on a busy machine loading could exceed the deadline of the call.
import '../../src/people/accounts.js'

export const publicUrl = 'https://speech.example.com'

export interface ReceivedMail {
  readonly to: string
  readonly text: string
}

/** A mail server that stores the mails that it receives. */
export const startMailServer = async () => {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      let text = ''
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      stream.on('end', () => {
        // Long lines are folded by `=` at their ends.
        const unfolded = text.replace(/=\r\n/g, '').replace(/=3D/g, '=')
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text: unfolded })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as { port: number }
  return { mails, url: `smtp://127.0.0.1:${port}`, stop: () => new Promise<void>((done) => server.close(done)) }
}

export interface PeopleSettings {
  readonly withMail?: boolean
  /** Set only without mails. */
  readonly withPublicUrl?: boolean
  /** Additional variables. */
  readonly environment?: Readonly<Record<string, string>>
}

/** The service with a Postgres and a mail server of its own. */
export const startPeople = async ({ withMail = true, withPublicUrl = true, environment }: PeopleSettings = {}) => {
  const [postgres, mail] = await Promise.all([startPostgresServer(), startMailServer()])
  const bus = createInProcessBus()
  const ttl = createMemoryTtlStore()
  const openDatabase: Parameters<typeof auth.start>[0]['openDatabase'] = (schema) =>
    openPostgresDatabase({ url: postgres.url, ...schema })
  const running = await auth.start(
    {
      instanceId: randomUUID(),
      bus,
      ttl,
      logger: createLogger({ name: 'auth', level: 'silent' }),
      metrics: createMetrics(),
      tracing: noTracing,
      openSharedStore: async () => undefined,
      readSecret: () => '',
      openDatabase,
    },
    auth.env.parse({
      API_KEY_PEPPERS: '1:the-first-pepper-of-all',
      ...(withPublicUrl && { PUBLIC_URL: publicUrl }),
      ...(withMail && { SMTP_URL: mail.url, MAIL_FROM: 'Parlance <parlance@example.com>' }),
      ...environment,
    }),
  )
  const people = patientClient(createClient(bus, peopleContract))
  const audit = patientClient(createClient(bus, auditContract))
  const authClient = patientClient(createClient(bus, authContract))

  return {
    people,
    audit,
    auth: authClient,
    mails: mail.mails,
    openDatabase: () => openDatabase(auth.databases![0]!),

    async newWorkspace(): Promise<string> {
      const workspace = await authClient.createWorkspace({ name: `Acme ${randomUUID()}`, capabilities: ['tts'] })
      return workspace.id
    },

    /** A new person with this role. */
    async newMember(workspaceId: string, role: Role) {
      const email = `${role}-${randomUUID()}@example.com`
      return people.addPerson({ email, workspace_id: workspaceId, role })
    },

    async stop() {
      await running.stop()
      await bus.close()
      await ttl.close()
      await Promise.all([postgres.stop(), mail.stop()])
    },
  }
}

export type PeopleScene = Awaited<ReturnType<typeof startPeople>>

export interface BrowserOptions {
  readonly address?: string
  readonly origin?: string
}

/** A browser's requests to the account routes, with its cookies. */
export const openBrowser = ({ people }: Pick<PeopleScene, 'people'>, options: BrowserOptions = {}) => {
  const { address = '192.0.2.1', origin = publicUrl } = options
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const request = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const reply = await people.handleAccountRequest({
      method,
      url: `${publicUrl}${path.startsWith('/dashboard') ? path : `${accountPath}${path}`}`,
      headers: {
        cookie: cookie(),
        ...(method === 'POST' && { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      client_address: address,
    })
    for (const [name, value] of reply.headers) {
      if (name !== 'set-cookie') continue
      const [, cookieName, cookieValue] = /^([^=]+)=([^;]*)/.exec(value)!
      if (/max-age=0/i.test(value)) cookies.delete(cookieName!)
      else cookies.set(cookieName!, cookieValue!)
    }
    return { ...reply, json: reply.body === '' ? undefined : safeJson(reply.body) }
  }

  return {
    cookie,
    get: (path: string) => request('GET', path),
    post: (path: string, body?: object) => request('POST', path, body),
    async signIn(email: string): Promise<void> {
      const { path } = await people.createAccountLink({ email, kind: 'sign_in' })
      await request('GET', path)
    },
  }
}

export type Browser = ReturnType<typeof openBrowser>

const safeJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

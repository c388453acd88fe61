import { parse } from 'yaml'
import { readDocument } from '../documents.js'

interface ComposeService {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
}

const { services }: { services: Record<string, ComposeService> } = parse(readDocument('docker-compose.yml'), {
  merge: true,
})
const { cli, ...built } = Object.fromEntries(
  Object.entries(services).filter(([, { image }]) => image === 'parlance:local'),
)

/** The variables of each service by docs/configuration.md, which is made from the schemas. */
const documented = new Map(
  readDocument('docs/configuration.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name),
    ]),
)

/** Files and folders need a mount of their own; the port within the container is fixed. */
const needsMore = (name: string): boolean => /_(FILE|FOLDER|DIR)$/.test(name) || name === 'PORT'

test('docker-compose.yml has every service that has variables', () => {
  expect(Object.keys(built).sort()).toEqual([...documented.keys()].filter((name) => name !== 'Every service').sort())
})

test.each(Object.keys(built))('`.env` can set every variable of %s, but for files and folders', (service) => {
  const { environment } = built[service]!
  for (const name of documented.get(service)!.filter((name) => !needsMore(name)))
    expect([name, environment[name]]).toEqual([name, expect.stringMatching(new RegExp(`^\\$\\{${name}:-[^}]*\\}$`))])
})

test('the doctor in `cli` has every variable of every service with its value, and its own user of NATS', () => {
  const own = /^NATS_(USER|PASSWORD|INBOX_PREFIX)$/
  for (const { environment } of Object.values(built))
    for (const [name, value] of Object.entries(environment).filter(([name]) => !own.test(name)))
      expect([name, cli!.environment[name]]).toEqual([name, value])
  expect(cli!.environment).toMatchObject({ NATS_USER: 'cli', REDIS_URL: 'redis://redis:6379' })
})

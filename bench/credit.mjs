/**
 * How many holds of credit are reserved and settled in a second: all of them of one busy workspace, and of fifty.
 *
 * Credit as a gateway uses it (reserved in the counter; settled over the bus into the ledger, whose answer is waited for)
 * beside the two it is made of: the counter's scripts alone, which keep no ledger, and a plain row of Postgres with one
 * statement to reserve and one to settle, which has no counter. Rounds are interleaved in random order; figures are
 * medians over rounds.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startBackingServers } from './harness/backing-servers.mjs'
import { cpuSeconds, lastWords, startProcess } from './harness/child-process.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild, root } from './harness/installed.mjs'
import { atLeast, atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed, seededOrder } from './harness/seeded-order.mjs'
import { medianRow, percentile, spread } from './harness/statistics.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'
import { eventually } from './harness/waiting.mjs'

const options = commandLine('credit', 'holds of credit reserved and settled per second', {
  rounds: { type: 'number', default: 7, help: 'times each one is loaded' },
  seconds: { type: 'number', default: 3, help: 'how long each time' },
  holds: { type: 'number', default: 64, help: 'how many at once' },
  workspaces: { type: 'number', default: 50, help: 'how many, where it is not one' },
  seed: { type: 'number', default: newSeed(), help: 'of the order, to repeat a run' },
})

const amountNano = 1_500_000n
const grantedCredit = '100000'
const longMs = 3_600_000
const usage = { kind: 'tts', key_id: null, agent_id: null, quantities: { tts_characters: 100 } }

/** The product's own way, with `services/tokens` as it is deployed. Its `hold` resolves when the ledger has answered. */
const startCredit = async ({ servers, bus, ttl, logger, workspaceIds, folder }) => {
  const { createClient } = await import('@parlance/bus')
  const { creditContract } = await import('@parlance/contracts')
  const { createCreditReserver } = await import('@parlance/credit')
  const { freePort } = await import('@parlance/testing')
  const service = startProcess({
    name: 'tokens',
    command: [process.execPath, join(root, 'services/tokens/dist/main.js')],
    env: {
      ...{ ...servers.env, NODE_ENV: 'production', LOG_LEVEL: 'info', HOST: '127.0.0.1' },
      ...{ HEALTH_PORT: String(await freePort()), API_KEY_PEPPERS: '1:a-pepper-for-benchmarks-only' },
    },
    log: join(folder, 'tokens.log'),
  })
  const client = createClient(bus, creditContract)
  const answered = new Map()
  const credit = {
    lease: client.lease,
    async resolve(request, callOptions) {
      const answer = await client.resolve(request, callOptions)
      for (const [index, { hold }] of request.endings.entries()) answered.get(hold.id)?.(answer.outcomes[index])
      return answer
    },
  }
  const reserver = createCreditReserver({ ttl, credit, logger })
  const grant = (workspace_id) => client.grant({ workspace_id, amount: grantedCredit, reference: 'bench' })
  await eventually('an answer about credit', () => grant(workspaceIds[0]), { onFailure: () => lastWords(service) })
  await Promise.all(workspaceIds.map(grant))
  return {
    cpuSeconds: () => cpuSeconds(service.pid),
    async reserve(workspaceId) {
      const { hold, settle } = await reserver.reserve({ workspaceId, amountNano })
      return async () => {
        const answer = new Promise((resolve) => answered.set(hold.id, resolve))
        settle(amountNano, usage)
        const { resolution } = await answer
        answered.delete(hold.id)
        if (resolution !== 'settled') throw new Error(`a hold ended as ${resolution}`)
      }
    },
    async check() {
      for (const workspace_id of workspaceIds) {
        const [found] = (await client.reconcile({ workspace_id })).workspaces
        if (found.ledger_difference === '0.00' && (found.counter_difference ?? '0.00') === '0.00') continue
        throw new Error(`ledger and counter differ: ${JSON.stringify(found)}`)
      }
    },
    async stop() {
      await reserver.stop()
      await service.stop()
    },
  }
}

const startCounters = async ({ ttl, workspaceIds }) => {
  const { createCreditCounter, mostLeasedNano } = await import('@parlance/credit')
  const counter = createCreditCounter(ttl)
  // The product has its own counters for the real ids.
  const own = new Map(workspaceIds.map((id) => [id, randomUUID()]))
  for (const workspaceId of own.values()) {
    const leaseId = randomUUID()
    await counter.open(workspaceId, leaseId, longMs)
    await counter.fund(workspaceId, leaseId, mostLeasedNano, longMs)
  }
  return {
    async reserve(id) {
      const [workspaceId, holdId] = [own.get(id), randomUUID()]
      const { leaseId } = await counter.reserve(workspaceId, holdId, amountNano)
      return async () => {
        if (!(await counter.resolve(workspaceId, leaseId, holdId, amountNano))) throw new Error('a hold was lost')
      }
    },
  }
}

const rowSql = `
create table accounts (id uuid primary key, available bigint not null check (available >= 0), held bigint not null default 0);
create table holds (id uuid primary key, workspace_id uuid not null, amount bigint not null, settled bigint)`

const startRow = async ({ servers, workspaceIds, folder }) => {
  const { openPostgresDatabase } = await import('@parlance/store')
  const migrations = join(folder, 'row')
  await mkdir(migrations)
  await writeFile(join(migrations, '001-row.sql'), rowSql)
  const database = await openPostgresDatabase({
    ...{ url: servers.env.DATABASE_URL, schema: 'plain_row', poolSize: 16 },
    migrations: pathToFileURL(`${migrations}/`),
  })
  for (const id of workspaceIds) await database.query('insert into accounts values ($1, $2)', [id, 10n ** 17n])
  return {
    async reserve(id) {
      const holdId = randomUUID()
      const [held] = await database.query(
        `with held as (
           update accounts set available = available - $3, held = held + $3 where id = $1 and available >= $3 returning id
         ) insert into holds select $2, id, $3 from held returning id`,
        [id, holdId, amountNano],
      )
      if (held === undefined) throw new Error('there is not enough')
      return () =>
        database.query(
          `with settled as (
             update holds set settled = $2 where id = $1 and settled is null returning workspace_id, amount
           ) update accounts set held = held - amount, available = available + amount - $2
             from settled where accounts.id = settled.workspace_id`,
          [holdId, amountNano],
        )
    },
    stop: () => database.close(),
  }
}

/** So many holds at once, one after the other, for some seconds. */
const load = async ({ reserve }, workspaceIds, seconds) => {
  const reservedMs = []
  const startedMs = performance.now()
  const endsMs = startedMs + seconds * 1000
  const work = async (index) => {
    for (let count = index; performance.now() < endsMs; count += options.holds) {
      const beganMs = performance.now()
      const settle = await reserve(workspaceIds[count % workspaceIds.length])
      reservedMs.push(performance.now() - beganMs)
      await settle()
    }
  }
  await Promise.all(Array.from({ length: options.holds }, (_, index) => work(index)))
  return {
    holdsPerSecond: (reservedMs.length * 1000) / (performance.now() - startedMs),
    reserveP50Ms: percentile(reservedMs, 0.5),
    reserveP99Ms: percentile(reservedMs, 0.99),
  }
}

const run = async (folder, stops) => {
  // A ledger that forgets what it has answered is none, so commits are made durable here.
  const servers = await startBackingServers({ postgresArgs: ['-c', 'fsync=on'] })
  stops.push(servers)
  const { connectNatsBus } = await import('@parlance/bus')
  const { connectRedisTtlStore } = await import('@parlance/store')
  const { createLogger } = await import('@parlance/telemetry')
  const bus = await connectNatsBus({ url: servers.env.NATS_URL, name: 'bench' })
  const ttl = await connectRedisTtlStore({ url: servers.env.REDIS_URL })
  stops.push({ stop: () => Promise.all([bus.close(), ttl.close()]) })

  const many = Array.from({ length: options.workspaces }, () => randomUUID())
  const [one] = many
  const logger = createLogger({ level: 'error' })
  const given = { servers, bus, ttl, logger, workspaceIds: many, folder }
  const credit = await startCredit(given)
  stops.push(credit)
  const row = await startRow(given)
  stops.push(row)
  const ways = { credit, 'counter alone': await startCounters(given), 'Postgres row': row }
  const contenders = Object.entries(ways).flatMap(([name, way]) => [
    { name: `${name}, 1`, way, workspaceIds: [one] },
    { name: `${name}, ${options.workspaces}`, way, workspaceIds: many },
  ])

  for (const { way, workspaceIds } of contenders) await load(way, workspaceIds, 1)
  const inOrder = seededOrder(options.seed)
  const rows = new Map(contenders.map(({ name }) => [name, []]))
  for (let round = 1; round <= options.rounds; round++) {
    for (const { name, way, workspaceIds } of inOrder(contenders)) {
      rows.get(name).push(await load(way, workspaceIds, options.seconds))
    }
    say(`round ${round} of ${options.rounds}`)
  }
  await credit.check()
  return Object.fromEntries(
    [...rows].map(([name, measured]) => [
      name,
      { ...medianRow(measured), noise: spread(measured.map(({ holdsPerSecond }) => holdsPerSecond)) },
    ]),
  )
}

const report = (figures) => {
  const [hot, spreadOut, hotCounter, , hotRow] = Object.values(figures)
  const text = table(
    ['way, workspaces', 'holds/s', 'noise', 'reserve p50 ms', 'p99 ms'],
    Object.entries(figures).map(([name, row]) => [
      name,
      row.holdsPerSecond.toFixed(0),
      `± ${(row.noise * 100).toFixed(0)} %`,
      row.reserveP50Ms.toFixed(2),
      row.reserveP99Ms.toFixed(2),
    ]),
  )
  const ratio = (one, other) => one.holdsPerSecond / other.holdsPerSecond
  const goals = [
    goal('holds/s of one workspace, credit to Postgres row', ratio(hot, hotRow), ' ×', atLeast(2)),
    goal('holds/s, one workspace to many', ratio(hot, spreadOut), ' ×', atLeast(0.8)),
    goal('holds/s of one workspace, credit to counter alone', ratio(hot, hotCounter), ' ×', atLeast(0.05)),
    goal(
      'reserve p50 of one workspace, credit to Postgres row',
      hot.reserveP50Ms / hotRow.reserveP50Ms,
      ' ×',
      atMost(0.25),
    ),
  ]
  const { json, assert, seed } = options
  finish({ json, assert, text, figures: { seed, ways: figures }, goals })
}

needBuild('tokens')

await inTemporaryFolder(async (folder) => {
  const stops = []
  try {
    report(await run(folder, stops))
  } finally {
    for (const started of stops.reverse()) await started.stop()
  }
})

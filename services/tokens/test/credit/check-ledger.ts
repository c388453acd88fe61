/** Checks the rows of the ledger against the played histories, when no reservation is left. */
import { parseCredit } from '@parlance/clients/credit'
import { tokens } from '@parlance/service-tokens'
import { type Database, openPostgresDatabase } from '@parlance/store'
import type { CreditModel } from './credit-model.js'
import type { Gateway } from './installation.js'

interface HoldRow {
  workspace_id: string
  id: string
  resolution: 'settled' | 'released' | 'expired'
  paid: bigint
  late: bigint
  uncovered: bigint
}

interface AccountRow {
  workspace_id: string
  granted: bigint
  available: bigint
  leased: bigint
  spent: bigint
  /** The sum of the charges of its reservations. */
  charged: bigint
  /** Leases with higher charges than the credit that they received. */
  overdrawn: number
}

export interface Checked {
  readonly workspaceId: string
  readonly model: CreditModel
}

export interface CheckOptions {
  readonly gateways: readonly Gateway[]
  /** Whether a lease may have lost its counter, so that its reservations expired or were settled after it was closed. */
  readonly faults?: boolean
}

export const openLedger = (url: string): Promise<Database> =>
  openPostgresDatabase({ url, ...tokens.databases!.find(({ schema }) => schema === 'credit')! })

/** Reads the rows of all workspaces, which row-level security allows explicitly. Sums are text. */
const all = async <Row extends object>(ledger: Database, sql: string, parameters: unknown[] = []): Promise<Row[]> =>
  ledger.acrossWorkspaces((transaction) => transaction.query<Row>(sql, parameters))

const readReservations = async (ledger: Database, workspaceIds: readonly string[]): Promise<Map<string, HoldRow[]>> => {
  const rows = await all<Record<keyof HoldRow, string>>(
    ledger,
    `select workspace_id, id, resolution, paid_by_lease as paid, paid_late as late, uncovered
     from holds where workspace_id = any ($1::uuid[])`,
    [workspaceIds],
  )
  const byWorkspace = new Map<string, HoldRow[]>(workspaceIds.map((id) => [id, []]))
  for (const { resolution, paid, late, uncovered, ...names } of rows) {
    byWorkspace.get(names.workspace_id)?.push({
      ...names,
      resolution: resolution as HoldRow['resolution'],
      paid: BigInt(paid),
      late: BigInt(late),
      uncovered: BigInt(uncovered),
    })
  }
  return byWorkspace
}

const readAccounts = async (ledger: Database, workspaceIds: readonly string[]): Promise<Map<string, AccountRow>> => {
  const rows = await all<Record<keyof AccountRow, string>>(
    ledger,
    `select account.*, hold.charged, lease.overdrawn from accounts account
     cross join lateral (
       select coalesce(sum(paid_by_lease + paid_late), 0) as charged from holds
       where workspace_id = account.workspace_id
     ) hold
     cross join lateral (
       select count(*) as overdrawn from leases where workspace_id = account.workspace_id and leased < (
         select coalesce(sum(paid_by_lease + paid_late + uncovered), 0) from holds
         where workspace_id = account.workspace_id and lease_id = leases.id)
     ) lease
     where account.workspace_id = any ($1::uuid[])`,
    [workspaceIds],
  )
  return new Map(
    rows.map((row) => [
      row.workspace_id,
      {
        workspace_id: row.workspace_id,
        granted: BigInt(row.granted),
        available: BigInt(row.available),
        leased: BigInt(row.leased),
        spent: BigInt(row.spent),
        charged: BigInt(row.charged),
        overdrawn: Number(row.overdrawn),
      },
    ]),
  )
}

/** Workspaces that have leased credit. */
export const countLeased = async (ledger: Database): Promise<number> => {
  const [row] = await all<{ count: string }>(ledger, 'select count(*) from accounts where leased > 0')
  return Number(row!.count)
}

/** Accounts that are below zero, or that spent more than they were granted. */
export const countOverdrawn = async (ledger: Database): Promise<number> => {
  const [row] = await all<{ count: string }>(
    ledger,
    `select count(*) from accounts
     where least(granted, available, leased, spent) < 0 or spent > granted or granted <> available + leased + spent`,
  )
  return Number(row!.count)
}

const checkHold = (row: HoldRow, { model }: Checked, { gateways, faults = false }: CheckOptions): string[] => {
  const charged = row.paid + row.late
  const known = model.reservations.get(row.id)
  const problems: string[] = []
  const must = (isTrue: boolean, what: string) => {
    if (!isTrue) problems.push(`hold ${row.id} (${row.resolution}, ${charged} charged) ${what}`)
  }
  for (const { outcomes } of gateways) {
    for (const answer of outcomes.get(row.id) ?? []) {
      must(
        'charged' in answer && answer.resolution === row.resolution && parseCredit(answer.charged) === charged,
        `had the outcome ${JSON.stringify(answer)}`,
      )
    }
  }
  if (known?.mayCharge === undefined || row.resolution === 'expired') {
    // A reservation that the model does not know was made by a call whose answer was lost.
    must(row.resolution === 'expired' && charged + row.uncovered === 0n, 'did not expire')
  } else {
    must(known.mayCharge.includes(charged + row.uncovered), `should have charged ${known.mayCharge}`)
  }
  if (!faults) must(row.late === 0n && row.uncovered === 0n, 'was not paid by its lease')
  return problems
}

/** The errors of each workspace. */
export const checkLedger = async (
  ledger: Database,
  played: readonly Checked[],
  options: CheckOptions,
): Promise<Map<Checked, string[]>> => {
  const { gateways, faults = false } = options
  const workspaceIds = played.map(({ workspaceId }) => workspaceId)
  const [reservations, accounts] = [
    await readReservations(ledger, workspaceIds),
    await readAccounts(ledger, workspaceIds),
  ]
  const wrong = new Map<Checked, string[]>()
  for (const checked of played) {
    const { workspaceId, model } = checked
    const rows = reservations.get(workspaceId)!
    const problems = rows.flatMap((row) => checkHold(row, checked, options))
    const must = (condition: boolean, what: string) => {
      if (!condition) problems.push(what)
    }

    const ended = new Map(rows.map((row) => [row.id, row]))
    for (const [id, { mayCharge }] of model.reservations) {
      const row = ended.get(id)
      must(row !== undefined || (faults && mayCharge === undefined), `reservation ${id} never ended`)
      must(
        mayCharge === undefined || gateways.some(({ outcomes }) => outcomes.has(id)),
        `reservation ${id} ended without an outcome`,
      )
      if (!faults && mayCharge !== undefined && mayCharge.length === 1) {
        must(row?.resolution !== 'expired', `reservation ${id} expired while it was renewed`)
      }
    }
    const account = accounts.get(workspaceId)
    if (account === undefined) {
      problems.push('has no account')
    } else {
      must(account.granted === model.grantedNano(), `${account.granted} is granted, not ${model.grantedNano()}`)
      must(account.leased === 0n, `${account.leased} is still leased`)
      must(account.spent === account.charged, `${account.spent} is spent, ${account.charged} was charged`)
      must(account.available === account.granted - account.spent, `${account.available} is available`)
      must(account.overdrawn === 0, `${account.overdrawn} leases were charged more than they had`)
    }
    if (problems.length > 0) wrong.set(checked, problems)
  }
  return wrong
}

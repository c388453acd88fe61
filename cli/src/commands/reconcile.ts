import type { Reconciliation } from '@parlance/contracts'
import type { Command } from 'commander'
import { workspaceId } from '../arguments.js'
import { type Answer, addCommand, type OutputOptions, type Progress, type Runner } from '../command.js'
import { allPages, findWorkspace, type OperatorCalls } from '../operator-calls.js'
import { type Column, record, table } from '../table.js'

const exitCodeOfDifference = 2

const isZero = (amount: string) => !/[1-9]/.test(amount)
const agrees = ({ ledger_difference, counter_difference }: Reconciliation) =>
  isZero(ledger_difference) && isZero(counter_difference ?? '0')

const counterOf = ({ counter_difference }: Reconciliation) => counter_difference ?? 'none'

const fieldsOf = (one: Reconciliation) => ({
  Workspace: one.workspace_id,
  Granted: one.granted,
  Available: one.available,
  Leased: one.leased,
  Held: one.held,
  Spent: one.spent,
  'Ledger differs by': one.ledger_difference,
  'Counter differs by': one.counter_difference ?? 'there is no counter now, which is not an error',
})

const columns: Column<Reconciliation>[] = [
  { title: 'WORKSPACE', cell: ({ workspace_id }) => workspace_id },
  { title: 'GRANTED', cell: ({ granted }) => granted, align: 'right' },
  { title: 'SPENT', cell: ({ spent }) => spent, align: 'right' },
  { title: 'LEDGER', cell: ({ ledger_difference }) => ledger_difference, align: 'right' },
  { title: 'COUNTER', cell: counterOf, align: 'right' },
]

const summary = (all: readonly Reconciliation[]): string => {
  const wrong = all.filter((one) => !agrees(one)).length
  if (wrong > 0) return `${wrong} of ${all.length} workspaces differ, by the amounts in LEDGER and COUNTER.`
  return all.length === 1 ? 'Nothing differs.' : `Nothing differs in any of the ${all.length} workspaces.`
}

const reconcile = async (calls: OperatorCalls, id: string | undefined, progress: Progress): Promise<Answer> => {
  if (id !== undefined) await findWorkspace(calls, id)
  const readPage = async (at: { cursor?: string }) => {
    const page = await calls.credit.reconcile({ ...at, workspace_id: id ?? null, limit: 100 })
    return { items: page.workspaces, nextCursor: page.next_cursor }
  }
  const workspaces = await allPages(readPage, (count) => progress(`${count} workspaces compared so far …`))
  const [first] = workspaces
  return {
    json: { workspaces },
    text: (width) => {
      if (first === undefined) return 'Nothing differs: no credit has been granted yet.'
      return `${id === undefined ? table(columns, workspaces, width) : record(fieldsOf(first), width)}\n\n${summary(workspaces)}`
    },
    exitCode: workspaces.every(agrees) ? 0 : exitCodeOfDifference,
  }
}

export const addReconcileCommand = (program: Command, { answer }: Runner): void => {
  addCommand(
    program,
    'reconcile',
    'compare the ledger of credit with what is derived from it: by how much do they differ? Exits with 2 if they do',
    ['', '$WORKSPACE', '--json'],
  )
    .argument('[workspace]', 'the id of one (default: all that ever had credit)', workspaceId)
    .action((id: string | undefined, options: OutputOptions) =>
      answer(options, (calls, progress) => reconcile(calls, id, progress)),
    )
}

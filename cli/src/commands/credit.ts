import { ServiceError, type UsageGrouping, usageGroupingSchema } from '@parlance/contracts'
import { type Command, Option } from 'commander'
import { amount, reference, timestamp, workspaceId } from '../arguments.js'
import { type Answer, addCommand, addGroup, type OutputOptions, type Runner } from '../command.js'
import { findWorkspace, type OperatorCalls } from '../operator-calls.js'
import { type Column, record, table } from '../table.js'

type Balance = Awaited<ReturnType<OperatorCalls['credit']['getBalance']>>
type UsageLine = Awaited<ReturnType<OperatorCalls['credit']['getUsage']>>['usage'][number]

const fieldsOf = (workspaceId: string, { balance, reserved, updated_at }: Balance) => ({
  Workspace: workspaceId,
  Balance: balance,
  Reserved: reserved,
  'As of': updated_at,
})

const grant = async (calls: OperatorCalls, id: string, amount: string, reference: string): Promise<Answer> => {
  await findWorkspace(calls, id)
  const granted = await calls.credit.grant({ workspace_id: id, amount, reference }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'idempotency_conflict') throw error
    const problem = `Another amount was granted under the reference ${reference} before. Nothing was changed.`
    throw new ServiceError(error.code, `${problem} Use a new reference for a new grant.`)
  })
  const message = granted.replayed
    ? `Nothing was changed: ${amount} had been granted under this reference before.`
    : `Granted ${amount}.`
  return { json: granted, text: (width) => `${message}\n\n${record(fieldsOf(id, granted), width)}` }
}

const show = async (calls: OperatorCalls, id: string): Promise<Answer> => {
  await findWorkspace(calls, id)
  const balance = await calls.credit.getBalance({ workspace_id: id })
  return { json: balance, text: (width) => record(fieldsOf(id, balance), width) }
}

interface UsageOptions extends OutputOptions {
  from?: string
  to?: string
  groupBy: UsageGrouping
}

const defaultSpanMs = 30 * 24 * 3_600_000

const quantities = [
  { title: 'CHARACTERS', of: (line: UsageLine) => line.tts_characters },
  { title: 'SESSION S', of: (line: UsageLine) => line.session_seconds },
  { title: 'STT S', of: (line: UsageLine) => line.stt_seconds },
  { title: 'TOKENS IN', of: (line: UsageLine) => line.llm_input_tokens },
  { title: 'TOKENS OUT', of: (line: UsageLine) => line.llm_output_tokens },
]

/** Unused quantities have no column, which keeps the lines short. */
const columnsFor = (groupBy: UsageGrouping, lines: readonly UsageLine[]): Column<UsageLine>[] => [
  { title: groupBy.replace('_', ' ').toUpperCase(), cell: ({ key }) => key ?? '(none)' },
  { title: 'CREDIT', cell: ({ credit_used }) => credit_used, align: 'right' },
  { title: 'REQUESTS', cell: ({ operations }) => String(operations), align: 'right' },
  ...quantities
    .filter(({ of }) => lines.some((line) => of(line) > 0))
    .map(({ title, of }): Column<UsageLine> => ({ title, cell: (line) => String(of(line)), align: 'right' })),
]

const usage = async (calls: OperatorCalls, id: string, options: UsageOptions): Promise<Answer> => {
  const to = options.to ?? new Date().toISOString()
  const from = options.from ?? new Date(Date.parse(to) - defaultSpanMs).toISOString()
  if (from >= to)
    throw new ServiceError('invalid_request', `The period from ${from} to ${to} is empty: --from must be before --to.`)
  await findWorkspace(calls, id)
  const report = await calls.credit.getUsage({ workspace_id: id, from, to, group_by: options.groupBy })
  return {
    json: report,
    text: (width) =>
      report.usage.length === 0
        ? `Nothing was used from ${from} to ${to}.`
        : table(columnsFor(options.groupBy, report.usage), report.usage, width),
  }
}

export const addCreditCommands = (program: Command, { answer }: Runner): void => {
  const credit = addGroup(program, 'credit', 'what workspaces can spend and have spent')

  addCommand(credit, 'grant', 'give a workspace credit, once for each reference', [
    '$WORKSPACE 100 --reference invoice-2026-117',
  ])
    .argument('<workspace>', 'its id', workspaceId)
    .argument('<amount>', 'how much, e.g. 100 or 12.40', amount)
    .requiredOption('--reference <text>', 'what it is for: the same again changes nothing', reference)
    .action((id: string, amount: string, options: OutputOptions & { reference: string }) =>
      answer(options, (calls) => grant(calls, id, amount, options.reference)),
    )

  addCommand(credit, 'show', 'show how much credit a workspace has', ['$WORKSPACE'])
    .argument('<workspace>', 'its id', workspaceId)
    .action((id: string, options: OutputOptions) => answer(options, (calls) => show(calls, id)))

  addCommand(credit, 'usage', 'show what a workspace has used', [
    '$WORKSPACE',
    '$WORKSPACE --from 2026-01-01 --to 2026-02-01 --group-by api_key',
  ])
    .argument('<workspace>', 'its id', workspaceId)
    .option('--from <time>', 'a day (from its start in UTC) or a moment (default: 30 days before --to)', timestamp)
    .option('--to <time>', 'a day (up to its start in UTC) or a moment (default: now)', timestamp)
    .addOption(new Option('--group-by <what>', 'one line for each').choices(usageGroupingSchema.options).default('day'))
    .action((id: string, options: UsageOptions) => answer(options, (calls) => usage(calls, id, options)))
}

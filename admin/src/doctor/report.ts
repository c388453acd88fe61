import { styleText } from 'node:util'
import { type Answer, type Column, table } from '@parlance/cli'
import { type CheckedFinding, type Status, statuses } from './check.js'

type Row = Pick<CheckedFinding, 'status' | 'check' | 'found'> | { readonly fix: string }

const columns: readonly Column<Row>[] = [
  { title: 'STATUS', cell: (row) => ('fix' in row ? '' : row.status) },
  { title: 'CHECK', cell: (row) => ('fix' in row ? '' : row.check) },
  { title: 'FOUND', cell: (row) => ('fix' in row ? `→ ${row.fix}` : row.found) },
]

const styles = {
  ok: 'green',
  warning: 'yellow',
  error: ['bold', 'red'],
  skipped: 'gray',
} as const satisfies Record<Status, Parameters<typeof styleText>[0]>

const statusAtLineStart = new RegExp(`^(${statuses.join('|')})(?= )`, 'gm')

const colored = (text: string): string =>
  text
    .replace(statusAtLineStart, (status) => styleText(styles[status as Status], status))
    .replace(/^STATUS .*/, (titles) => styleText('dim', titles))
    .replace(/ → /g, (arrow) => styleText('cyan', arrow))

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const summaryOf = (findings: readonly CheckedFinding[]): string => {
  const count = (status: Status) => findings.filter((finding) => finding.status === status).length
  const wrong = [
    ...(count('error') > 0 ? [counted(count('error'), 'error')] : []),
    ...(count('warning') > 0 ? [counted(count('warning'), 'warning')] : []),
  ].join(' and ')
  const rest = count('skipped') === 0 ? '' : ` ${counted(count('skipped'), 'check')} left out.`
  return `${wrong === '' ? 'Nothing is wrong.' : `Found ${wrong}.`}${rest}`
}

/** The exit code is 1 when there is an error; warnings leave it at 0. */
export const reportOf = (findings: readonly CheckedFinding[], isColored: boolean): Answer => {
  const hasError = findings.some(({ status }) => status === 'error')
  const rows = findings.flatMap(({ fix, ...finding }): Row[] => [finding, ...(fix === undefined ? [] : [{ fix }])])
  return {
    json: {
      ok: !hasError,
      findings: findings.map(({ check, status, found, fix = null }) => ({ check, status, found, fix })),
    },
    text(width) {
      const text = `${table(columns, rows, width)}\n\n${summaryOf(findings)}`
      return isColored ? colored(text) : text
    },
    exitCode: hasError ? 1 : 0,
  }
}

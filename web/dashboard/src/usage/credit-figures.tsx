import { Paper, SimpleGrid, Text } from '@mantine/core'
import { formatCredit, sumOfCredit } from '../shared/credit-amount.js'
import type { Credit, UsageGroup } from './usage-queries.js'
import type { RangeInDays } from './usage-range.js'

interface FigureProps {
  readonly label: string
  /** Decimal text. */
  readonly amount: string
  readonly hint: string
}

const Figure = ({ label, amount, hint }: FigureProps) => (
  <Paper withBorder p="md">
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text size="xl" fw={650} title={amount}>
      {formatCredit(amount)}
    </Text>
    <Text size="xs" c="dimmed">
      {hint}
    </Text>
  </Paper>
)

export interface CreditFiguresProps {
  readonly credit: Credit
  /** By day. */
  readonly usage: readonly UsageGroup[]
  readonly range: RangeInDays
}

/** The balance, the part of it that is reserved, and what was spent in the range. */
export const CreditFigures = ({ credit, usage, range }: CreditFiguresProps) => (
  <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
    <Figure label="Balance" amount={credit.balance} hint="Unspent credit" />
    <Figure label="Reserved" amount={credit.reserved} hint="Part of the balance, for work in progress" />
    <Figure
      label="Used"
      amount={sumOfCredit(usage.map(({ credit_used }) => credit_used))}
      hint={`In the last ${range} days`}
    />
  </SimpleGrid>
)

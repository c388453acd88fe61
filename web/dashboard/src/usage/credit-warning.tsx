import { Alert, Code, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { CreditOutlook } from './credit-outlook.js'

const remaining = (days: number): string => {
  if (days === 0) return 'less than a day'
  return days === 1 ? 'about one day' : `about ${days} days`
}

/** Warns that the credit is used up or will be soon, and explains how to get more. Nothing while there is enough. */
export const CreditWarning = ({ outlook }: { readonly outlook: CreditOutlook }) => {
  if (outlook.state === 'enough') return null
  return (
    <Alert
      role="alert"
      color={outlook.state === 'exhausted' ? 'red' : 'yellow'}
      title={outlook.state === 'exhausted' ? 'No credit is left' : 'Credit is low'}
      icon={<TriangleAlert />}
    >
      <Text>
        {outlook.state === 'exhausted'
          ? 'Speech and conversations are refused until more is granted. '
          : `At the pace of the last seven days it lasts ${remaining(outlook.days)}. `}
        The operator of this installation grants credit: <Code>npx parlance credit grant</Code>
      </Text>
    </Alert>
  )
}

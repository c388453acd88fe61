import { Alert, Button, Stack, Text } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { isNotFound, problemOf } from '../api/problem.js'

interface ProblemAlertProps {
  /** The error of a query or a mutation. Nothing is shown for null. */
  readonly error: unknown
  /** Offered as a button, except for `not_found`. */
  readonly retry?: () => void
}

/** Why something failed. */
export const ProblemAlert = ({ error, retry }: ProblemAlertProps) => {
  if (error === null || error === undefined) return null
  return (
    <Alert role="alert" color="red" icon={<CircleAlert />}>
      <Stack gap="xs" align="flex-start">
        <Text>{problemOf(error).detail}</Text>
        {retry !== undefined && !isNotFound(error) && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { ProblemAlert } from '../../shared/problem-alert.js'

interface OutdatedAlertProps {
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** Rejects with the body of the error. */
  onReload(): Promise<void>
  onSaveOver(): void
}

/** Reports that another person saved the Agent meanwhile, and offers to reload or to save. */
export const OutdatedAlert = ({ isDirty, isSaving, onReload, onSaveOver }: OutdatedAlertProps) => {
  const reload = useMutation({ mutationFn: onReload })
  return (
    <Alert role="alert" color="yellow" icon={<UsersRound />}>
      <Stack gap="xs">
        <Text>
          Another person changed this Agent since you opened it.
          {isDirty &&
            ' Reload it and lose your changes, or save yours: fields that you did not change stay as they were saved.'}
        </Text>
        <ProblemAlert error={reload.error} />
        <Group gap="xs">
          <Button size="xs" variant="default" loading={reload.isPending} onClick={() => reload.mutate()}>
            Reload
          </Button>
          {isDirty && (
            <Button size="xs" variant="default" loading={isSaving} onClick={onSaveOver}>
              Save my changes
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

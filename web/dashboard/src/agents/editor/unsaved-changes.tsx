import { Button, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import classes from './unsaved-changes.module.css'

/** Opening another section of the same page loses nothing. */
const leavesPage: ShouldBlockFn = ({ current, next }) => current.pathname !== next.pathname

/** Asks before a person leaves the page with changes that are not saved. The browser asks when the tab is closed. */
export const UnsavedGuard = ({ isDirty }: { readonly isDirty: boolean }) => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: leavesPage,
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <Stack>
        <Text size="sm">Your changes to this Agent are not saved. You will lose them if you leave.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            Stay
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

export interface SaveBarProps {
  readonly isSaving: boolean
  onSave(): void
  onDiscard(): void
}

/** Shown at the end of the window while there is something to save. */
export const SaveBar = ({ isSaving, onSave, onDiscard }: SaveBarProps) => (
  <Paper withBorder className={classes.bar} role="region" aria-label="Unsaved changes">
    <Group justify="space-between" gap="xs">
      <Text size="sm">Unsaved changes</Text>
      <Group gap="xs">
        <Button variant="default" disabled={isSaving} onClick={onDiscard}>
          Discard
        </Button>
        <Button loading={isSaving} onClick={onSave}>
          Save
        </Button>
      </Group>
    </Group>
  </Paper>
)

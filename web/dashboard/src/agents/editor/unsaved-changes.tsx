import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { Dialog } from '../../shared/dialog.js'
import { DialogButtons } from '../../shared/form.js'

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
  if (status !== 'blocked') return null
  return (
    <Dialog onClose={reset} title="Leave without saving?">
      <Stack>
        <Text>Your changes to this Agent are not saved. You will lose them if you leave.</Text>
        <DialogButtons cancelLabel="Stay" onCancel={reset} cancelHasFocus>
          <Button color="red" onClick={proceed}>
            Leave
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

interface SaveBarProps {
  readonly isSaving: boolean
  onSave(): void
  onDiscard(): void
}

/** Shown at the end of the window while there is something to save. */
export const SaveBar = ({ isSaving, onSave, onDiscard }: SaveBarProps) => (
  <Paper
    withBorder
    role="region"
    aria-label="Unsaved changes"
    pos="sticky"
    bottom="var(--mantine-spacing-sm)"
    px="md"
    py="xs"
    shadow="md"
    style={{ zIndex: 10 }}
  >
    <Group justify="space-between" gap="xs">
      <Text>Unsaved changes</Text>
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

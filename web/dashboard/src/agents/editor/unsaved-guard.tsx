import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'

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

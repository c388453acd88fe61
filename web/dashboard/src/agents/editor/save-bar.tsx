import { Button, Group, Paper, Text } from '@mantine/core'
import classes from './save-bar.module.css'

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

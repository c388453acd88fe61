import { Button, Group } from '@mantine/core'
import { ProblemAlert } from './problem-alert.js'

export interface FormActionsProps {
  /** On the button that sends the form. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  onCancel(): void
}

/** The end of a form in a dialog: its error and its two buttons. */
export const FormActions = ({ label, mutation, onCancel }: FormActionsProps) => (
  <>
    <ProblemAlert error={mutation.error} />
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={mutation.isPending}>
        {label}
      </Button>
    </Group>
  </>
)

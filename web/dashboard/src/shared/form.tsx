import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { refusedFieldOf } from '../api/problem.js'
import { Dialog, type DialogProps } from './dialog.js'
import { ProblemAlert } from './problem-alert.js'

/** The values of the fields, by their names. */
export type FormValues = Readonly<Record<string, string>>

/** The name of a field, and why it was refused. */
export interface FieldProps {
  readonly name: string
  readonly error: string | undefined
}

export interface FormProps {
  readonly mutation: { readonly error: unknown }
  onSubmit(values: FormValues, form: HTMLFormElement): void
  /** Fields that can be refused are made by a function, which gives each what `field` returns for its name. */
  readonly children: ReactNode | ((field: (name: string) => FieldProps) => ReactNode)
  /** Below the fields, with the button that sends the form. */
  readonly buttons: ReactNode
}

/** A form that shows why it was refused: at the field that was refused, which gets the focus, or else below all fields. */
export const Form = ({ mutation: { error }, onSubmit, children, buttons }: FormProps) => {
  const form = useRef<HTMLFormElement>(null)
  const refused = refusedFieldOf(error)
  const shown = new Set<string>()
  const fields =
    typeof children === 'function'
      ? children((name) => {
          shown.add(name)
          return { name, error: refused?.name === name ? refused.message : undefined }
        })
      : children
  const isAtField = refused !== undefined && shown.has(refused.name)

  useEffect(() => {
    const name = refusedFieldOf(error)?.name
    const field = name === undefined ? undefined : form.current?.elements.namedItem(name)
    if (field instanceof HTMLElement) field.focus()
  }, [error])

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        const { currentTarget } = event
        onSubmit(Object.fromEntries(new FormData(currentTarget)) as FormValues, currentTarget)
      }}
    >
      <Stack>
        {fields}
        {!isAtField && <ProblemAlert error={error} />}
        {buttons}
      </Stack>
    </form>
  )
}

interface DialogButtonsProps {
  /** The button that does what the dialog is for. */
  readonly children: ReactNode
  readonly cancelLabel?: string
  /** Whether the focus is on the button to cancel at first. */
  readonly cancelHasFocus?: boolean
  onCancel(): void
}

/** The buttons at the end of a dialog. */
export const DialogButtons = (props: DialogButtonsProps) => {
  const { children, cancelLabel = 'Cancel', cancelHasFocus, onCancel } = props
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} data-autofocus={cancelHasFocus}>
        {cancelLabel}
      </Button>
      {children}
    </Group>
  )
}

interface DialogFormProps extends Omit<FormProps, 'buttons' | 'mutation'> {
  /** On the button that sends the form. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  onCancel(): void
}

/** A form in a dialog. */
export const DialogForm = ({ label, onCancel, ...form }: DialogFormProps) => (
  <Form
    {...form}
    buttons={
      <DialogButtons onCancel={onCancel}>
        <Button type="submit" loading={form.mutation.isPending}>
          {label}
        </Button>
      </DialogButtons>
    }
  />
)

interface FormDialogProps extends Omit<DialogFormProps, 'onCancel'>, Pick<DialogProps, 'title' | 'onClose'> {}

/** A dialog with a form. */
export const FormDialog = ({ title, onClose, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <DialogForm {...form} onCancel={onClose} />
  </Dialog>
)

interface PageFormProps extends Omit<FormProps, 'buttons' | 'mutation'> {
  /** On the button that sends the form. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly isSuccess: boolean; readonly error: unknown }
  /** Shown when it is done. */
  readonly done?: string
}

/** A form on a page that stays after it is sent. */
export const PageForm = ({ label, done = 'Saved.', ...form }: PageFormProps) => (
  <Form
    {...form}
    buttons={
      <Group justify="space-between">
        <Button type="submit" variant="default" loading={form.mutation.isPending}>
          {label}
        </Button>
        <Text role="status">{form.mutation.isSuccess ? done : ''}</Text>
      </Group>
    }
  />
)

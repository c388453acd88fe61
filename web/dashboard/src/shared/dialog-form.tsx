import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { refusedFieldOf } from '../api/problem.js'
import { ProblemAlert } from './problem-alert.js'

export interface DialogFormProps {
  /** On the button that sends the form. */
  readonly label: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  /** Called with the values of the fields, by their names. */
  onSubmit(values: Readonly<Record<string, string>>, form: HTMLFormElement): void
  onCancel(): void
  /** Fields that can be refused are made by a function, which calls `errorOf` with the name of each for its `error`. */
  readonly children: ReactNode | ((errorOf: (name: string) => string | undefined) => ReactNode)
}

/** A form in a dialog. It shows why it was refused: at the field that was refused, which gets the focus, or else below all fields. */
export const DialogForm = ({ label, mutation, onSubmit, onCancel, children }: DialogFormProps) => {
  const { error, isPending } = mutation
  const form = useRef<HTMLFormElement>(null)
  const refused = refusedFieldOf(error)
  const shown = new Set<string>()
  const fields =
    typeof children === 'function'
      ? children((name) => {
          shown.add(name)
          return refused?.name === name ? refused.message : undefined
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
        onSubmit(Object.fromEntries(new FormData(currentTarget)) as Record<string, string>, currentTarget)
      }}
    >
      <Stack>
        {fields}
        {!isAtField && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

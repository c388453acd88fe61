import { Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { refusalOf } from '../../api/problem.js'
import { FormDialog, type FormValues } from '../../shared/form.js'
import type { Criterion, DataPoint } from './evaluation-queries.js'

export type EvaluationItem = Criterion | DataPoint

export const typeNames: Readonly<Record<DataPoint['type'], string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
}

const types = Object.entries(typeNames).map(([value, label]) => ({ value, label }))

const nameTaken = refusalOf('name', 'another one has this name.')

export interface ItemDialogProps {
  readonly title: string
  /** The item that is changed, or the initial values of a new one. An item with a type is a data point. */
  readonly item: EvaluationItem
  readonly placeholders: { readonly name: string; readonly description: string }
  /** The names of the other items of the list. */
  readonly takenNames: readonly string[]
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  onSave(item: EvaluationItem): void
  onClose(): void
}

/** Adds or changes a criterion or a data point. */
export const ItemDialog = (props: ItemDialogProps) => {
  const { title, item, placeholders, takenNames, mutation, onSave, onClose } = props
  const [isTaken, setTaken] = useState(false)
  const submit = (values: FormValues) => {
    const [name, description] = [values.name!.trim(), values.description!.trim()]
    setTaken(takenNames.includes(name))
    if (!takenNames.includes(name)) onSave({ ...item, ...values, name, description })
  }
  return (
    <FormDialog
      title={title}
      label="Save"
      mutation={{ ...mutation, error: isTaken ? nameTaken : mutation.error }}
      onSubmit={submit}
      onClose={onClose}
    >
      {(field) => (
        <>
          <TextInput
            {...field('name')}
            label="Name"
            defaultValue={item.name}
            placeholder={placeholders.name}
            required
            pattern=".*\S.*"
            title="A name that is not blank"
            maxLength={64}
            data-autofocus
          />
          {'type' in item && <Select name="type" label="Type" data={types} defaultValue={item.type} />}
          <Textarea
            {...field('description')}
            label="Description"
            description="The model reads it."
            defaultValue={item.description}
            placeholder={placeholders.description}
            required
            maxLength={1_000}
            minRows={2}
            maxRows={8}
            dir="auto"
          />
        </>
      )}
    </FormDialog>
  )
}

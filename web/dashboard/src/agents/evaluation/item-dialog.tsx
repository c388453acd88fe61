import { Modal, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogForm } from '../../shared/form.js'
import { useReturnedFocus } from '../../shared/use-returned-focus.js'
import type { Criterion, DataPoint } from './evaluation-queries.js'

export type EvaluationItem = Criterion | DataPoint

export const typeNames: Readonly<Record<DataPoint['type'], string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
}

const types = Object.entries(typeNames).map(([value, label]) => ({ value: value as DataPoint['type'], label }))

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
  const { title, placeholders, takenNames, mutation, onSave, onClose } = props
  const [item, setItem] = useState(props.item)
  useReturnedFocus(true)
  const name = item.name.trim()
  const isTaken = takenNames.includes(name)
  const submit = () => {
    if (!isTaken) onSave({ ...item, name, description: item.description.trim() })
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <DialogForm label="Save" mutation={mutation} onSubmit={submit} onCancel={onClose}>
        <TextInput
          label="Name"
          value={item.name}
          onChange={(event) => setItem({ ...item, name: event.currentTarget.value })}
          error={isTaken && 'Another one has this name.'}
          placeholder={placeholders.name}
          required
          pattern=".*\S.*"
          title="A name that is not blank"
          maxLength={64}
          autoComplete="off"
          data-autofocus
        />
        {'type' in item && (
          <Select
            label="Type"
            data={types}
            value={item.type}
            onChange={(type) => type !== null && setItem({ ...item, type })}
            allowDeselect={false}
          />
        )}
        <Textarea
          label="Description"
          description="The model reads it."
          value={item.description}
          onChange={(event) => setItem({ ...item, description: event.currentTarget.value })}
          placeholder={placeholders.description}
          required
          maxLength={1_000}
          autosize
          minRows={2}
          maxRows={8}
          dir="auto"
        />
      </DialogForm>
    </Modal>
  )
}

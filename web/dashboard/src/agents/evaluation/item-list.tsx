import { Button, Group, Select, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { refusalOf } from '../../api/problem.js'
import { type Column, DataTable } from '../../shared/data-table.js'
import { FormDialog, type FormValues } from '../../shared/form.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import type { Criterion, DataPoint } from './evaluation-queries.js'

type EvaluationItem = Criterion | DataPoint

const typeNames: Readonly<Record<DataPoint['type'], string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
}

const types = Object.entries(typeNames).map(([value, label]) => ({ value, label }))

const nameTaken = refusalOf('name', 'another one has this name.')

interface ItemDialogProps {
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
const ItemDialog = (props: ItemDialogProps) => {
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

interface ItemWords extends Pick<ItemDialogProps, 'placeholders'> {
  readonly title: string
  /** The text of an empty list. */
  readonly hint: string
  readonly add: string
  readonly edit: string
}

interface ItemListProps<Item extends EvaluationItem> {
  readonly words: ItemWords
  readonly items: readonly Item[]
  readonly newItem: Item
  readonly maxItems: number
  readonly mutation: ItemDialogProps['mutation'] & { reset(): void }
  /** Saves the whole list; `onSaved` is called once it is saved. */
  onSave(items: Item[], onSaved: () => void): void
}

const name: Column<EvaluationItem> = { header: 'Name', cell: (item) => item.name }
const type: Column<EvaluationItem> = { header: 'Type', cell: (item) => 'type' in item && typeNames[item.type] }
const description: Column<EvaluationItem> = { header: 'Description', cell: (item) => item.description }

/** The criteria or the data points of an Agent. Each change is saved at once. */
export const ItemList = <Item extends EvaluationItem>(props: ItemListProps<Item>) => {
  const { words, items, newItem, maxItems, mutation, onSave } = props
  const titleId = useId()
  /** The index of the item in the dialog; the length of the list for a new one. */
  const [edited, setEdited] = useState<number>()
  const open = (place: number) => {
    mutation.reset()
    setEdited(place)
  }
  const close = () => setEdited(undefined)
  const place = (item: EvaluationItem) => items.findIndex(({ name }) => name === item.name)
  const isNew = edited === items.length
  return (
    <Stack gap="xs" component="section" aria-labelledby={titleId}>
      <Group justify="space-between">
        <Title order={2} id={titleId}>
          {words.title}
        </Title>
        <Button
          variant="default"
          leftSection={<Plus />}
          disabled={items.length >= maxItems || mutation.isPending}
          onClick={() => open(items.length)}
        >
          {words.add}
        </Button>
      </Group>
      {edited === undefined && <ProblemAlert error={mutation.error} />}
      {items.length === 0 ? (
        <Text c="dimmed">{words.hint}</Text>
      ) : (
        <DataTable<EvaluationItem>
          label={words.title}
          rows={items}
          rowKey={(item) => item.name}
          columns={'type' in newItem ? [name, type, description] : [name, description]}
          actions={(item) => (
            <Group gap="xs" wrap="nowrap" justify="flex-end">
              <Button
                size="xs"
                variant="subtle"
                aria-label={`Edit ${item.name}`}
                disabled={mutation.isPending}
                onClick={() => open(place(item))}
              >
                Edit
              </Button>
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={`Remove ${item.name}`}
                // Each change sends the whole list, so a second one would bring back what the first one removes.
                disabled={mutation.isPending}
                onClick={() => {
                  mutation.reset()
                  onSave(items.toSpliced(place(item), 1), close)
                }}
              >
                Remove
              </Button>
            </Group>
          )}
        />
      )}
      {edited !== undefined && (
        <ItemDialog
          title={isNew ? words.add : words.edit}
          item={items[edited] ?? newItem}
          placeholders={words.placeholders}
          takenNames={items.filter((_, index) => index !== edited).map(({ name: taken }) => taken)}
          mutation={mutation}
          onSave={(saved) => onSave(items.toSpliced(edited, 1, saved as Item), close)}
          onClose={close}
        />
      )}
    </Stack>
  )
}

import { Text, TextInput } from '@mantine/core'
import { CopyField } from '../shared/copy-field.js'
import { DialogForm } from '../shared/form.js'
import { ShownOnceDialog } from '../shared/shown-once-dialog.js'
import { useCallCommand } from './call-command.js'
import { useCreateKey } from './key-queries.js'

/** A command that contains the new key. */
const FirstCall = ({ apiKey }: { readonly apiKey: string }) => {
  const { command, savesSpeech } = useCallCommand(apiKey)
  return (
    <>
      <Text>{savesSpeech ? 'Try it in a terminal. This saves speech as hello.mp3:' : 'Try it in a terminal:'}</Text>
      <CopyField name="the first call" value={command} />
    </>
  )
}

/** Asks for the label, and shows the value of the new key once. */
export const CreateKeyDialog = ({ onClose }: { onClose(): void }) => {
  const create = useCreateKey()
  const { data: made } = create
  return (
    <ShownOnceDialog
      onClose={onClose}
      title={made === undefined ? 'Create a key' : `The key “${made.label}”`}
      name="the key"
      value={made?.key}
      next={made && <FirstCall apiKey={made.key} />}
    >
      <DialogForm
        label="Create"
        mutation={create}
        onSubmit={({ label = '' }) => create.mutate({ body: { label: label.trim() } })}
        onCancel={onClose}
      >
        {(field) => (
          <TextInput
            {...field('label')}
            label="Label"
            description="What the key is for, such as the name of a backend."
            required
            maxLength={200}
            pattern=".*\S.*"
            data-autofocus
          />
        )}
      </DialogForm>
    </ShownOnceDialog>
  )
}

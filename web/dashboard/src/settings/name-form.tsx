import { Button, Group, Text, TextInput } from '@mantine/core'
import { ProblemAlert } from '../shared/problem-alert.js'
import { useRename } from './settings-queries.js'

/** The name of the workspace, which Owners and Admins change. */
export const NameForm = ({ name }: { readonly name: string }) => {
  const rename = useRename()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        rename.mutate({ body: { name: String(new FormData(event.currentTarget).get('name')).trim() } })
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          name="name"
          label="Name"
          defaultValue={name}
          maxLength={200}
          pattern=".*\S.*"
          required
          autoComplete="off"
          flex={1}
          miw={200}
          maw={480}
        />
        <Button type="submit" variant="default" loading={rename.isPending}>
          Save
        </Button>
        <Text size="sm" role="status" pb={8}>
          {rename.isSuccess ? 'Saved.' : ''}
        </Text>
      </Group>
      <ProblemAlert error={rename.error} />
    </form>
  )
}

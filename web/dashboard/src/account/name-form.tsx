import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { account } from '../api/account.js'
import { useSignedIn } from '../session/signed-in.js'
import { useReloadSignedIn } from '../session/use-reload-signed-in.js'
import { AccountForm } from './account-form.js'

export const NameForm = () => {
  const { person } = useSignedIn()
  const change = useMutation({
    mutationFn: ({ name = '' }: Record<string, string>) => account.changeName(name.trim()),
    onSuccess: useReloadSignedIn(),
  })
  return (
    <AccountForm title="Name" label="Save" done="Saved." mutation={change} onSubmit={change.mutate}>
      <TextInput
        name="name"
        aria-label="Name"
        defaultValue={person.name}
        autoComplete="name"
        maxLength={200}
        pattern=".*\S.*"
        required
      />
    </AccountForm>
  )
}

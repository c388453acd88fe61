import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { account } from '../api/account.js'
import { api } from '../api/api.js'
import { useSignedIn } from '../session/signed-in.js'
import { AccountForm } from './account-form.js'

export const NameForm = () => {
  const { person } = useSignedIn()
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: ({ name = '' }: Record<string, string>) => account.changeName(name.trim()),
    onSuccess: () => client.invalidateQueries(api.queryOptions('get', '/dashboard/api/signed-in')),
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

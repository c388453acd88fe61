import { Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { account } from '../api/account.js'
import { useSignedIn } from '../session/signed-in.js'
import { useReloadSignedIn } from '../session/use-reload-signed-in.js'
import { AccountForm } from './account-form.js'

export const EmailForm = () => {
  const { person } = useSignedIn()
  const change = useMutation({
    mutationFn: ({ email = '' }: Record<string, string>) => account.changeEmail(email),
    onSuccess: useReloadSignedIn(),
  })
  return (
    <AccountForm
      title="E-mail"
      label="Change the address"
      done="Done. If mail is set up, confirm with the link we sent you."
      mutation={change}
      onSubmit={change.mutate}
    >
      <Text size="sm">
        You sign in with {person.email}. To change the address, open two links: one that is sent to this address, then
        one that is sent to the new address. Without a mail server it changes at once.
      </Text>
      <TextInput name="email" type="email" label="New address" autoComplete="email" required />
    </AccountForm>
  )
}

import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { account } from '../api/account.js'
import { useSignedIn } from '../session/signed-in.js'
import { CopyField } from '../shared/copy-field.js'
import { NewPasswordField, PasswordField } from '../shared/password-fields.js'
import { AccountForm } from './account-form.js'

export const PasswordForm = () => {
  const { person } = useSignedIn()
  const change = useMutation({
    mutationFn: ({ password = '', newPassword = '' }: Record<string, string>) =>
      account.changePassword(password, newPassword),
  })
  return (
    <AccountForm
      title="Password"
      label="Change the password"
      done="Changed."
      mutation={change}
      onSubmit={change.mutate}
    >
      <Text size="sm">
        All other browsers are signed out when it changes. If you have no password yet, choose one by a link: this
        command of the operator prints it.
      </Text>
      <CopyField name="the command" value={`npx parlance user password-link ${person.email}`} />
      <PasswordField label="Current password" />
      <NewPasswordField />
    </AccountForm>
  )
}

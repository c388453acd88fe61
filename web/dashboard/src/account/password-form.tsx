import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { account } from '../api/account.js'
import { NewPasswordField, PasswordField } from '../shared/password-fields.js'
import { AccountForm } from './account-form.js'

export const PasswordForm = () => {
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
      <Text size="sm">All other browsers are signed out when it changes.</Text>
      <PasswordField label="Current password" />
      <NewPasswordField />
    </AccountForm>
  )
}

import { Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { account } from '../api/account.js'
import { useSignedIn } from '../session/signed-in.js'
import { Loaded } from '../shared/loaded.js'
import { NewPasswordField, PasswordField } from '../shared/password-fields.js'
import { AccountForm } from './account-form.js'
import { hasPassword, passwordFormId, signInWaysQuery } from './sign-in-ways.js'

/** Changes the password, or sets the first one of a person who signed in by a link or a provider. */
export const PasswordForm = () => {
  const { person } = useSignedIn()
  const client = useQueryClient()
  const ways = useQuery(signInWaysQuery)
  const save = useMutation({
    mutationFn: ({ password, newPassword = '' }: Record<string, string>) =>
      password === undefined ? account.setPassword(newPassword) : account.changePassword(password, newPassword),
    onSuccess: () => client.invalidateQueries(signInWaysQuery),
  })
  return (
    <Loaded query={ways}>
      {(found) => {
        const isSet = hasPassword(found)
        return (
          <AccountForm
            id={passwordFormId}
            title="Password"
            label={isSet ? 'Change the password' : 'Set the password'}
            done="Saved."
            mutation={save}
            onSubmit={save.mutate}
          >
            <Text size="sm">
              {isSet
                ? 'Changing it signs you out in all other browsers.'
                : `You have no password yet. Set one to sign in as ${person.email} without a link or an identity provider.`}
            </Text>
            {isSet && <PasswordField label="Current password" />}
            <NewPasswordField key={String(isSet)} label={isSet ? 'New password' : 'Password'} />
          </AccountForm>
        )
      }}
    </Loaded>
  )
}

import { Alert, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { account } from '../api/account.js'
import { localPath } from '../session/sign-in-again.js'
import { PageAnchor } from '../shared/links.js'
import { PasswordField } from '../shared/password-fields.js'
import { EntryForm } from './entry-form.js'
import { ProviderButtons } from './provider-buttons.js'
import { signInError } from './sign-in-errors.js'

export const SignInPage = () => {
  const { next, error } = useSearch({ from: '/entry/sign-in' })
  const signIn = useMutation({
    mutationFn: ({ email = '', password = '' }: Record<string, string>) => account.signIn(email, password),
    onSuccess: () => location.assign(localPath(next)),
  })
  return (
    <EntryForm
      title="Sign in"
      label="Sign in"
      mutation={signIn}
      onSubmit={signIn.mutate}
      footer={
        <>
          <PageAnchor to="/forgot-password" size="sm">
            Forgot your password?
          </PageAnchor>
          <ProviderButtons next={localPath(next)} />
        </>
      }
    >
      {error !== undefined && (
        <Alert role="alert" color="yellow">
          {signInError(error)}
        </Alert>
      )}
      <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
      <PasswordField />
    </EntryForm>
  )
}

import { Alert, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { account } from '../api/account.js'
import { localPath } from '../session/sign-in-again.js'
import type { FormValues } from '../shared/form.js'
import { PageAnchor } from '../shared/links.js'
import { PasswordField } from '../shared/secret-inputs.js'
import { EntryForm } from './entry-form.js'
import { ProviderButtons } from './provider-buttons.js'

const notVerified = 'Your e-mail address is not verified by the provider. Verify it there, and try again.'
const notTrusted =
  'The answer of the provider could not be verified. Try again, or ask the operator of this installation.'
const notHere = 'This sign-in is too old, was used before, or began in another browser. Try again.'
const notNow = 'The provider cannot sign you in at the moment. Try again later.'
const notHereNow = 'The sign-in cannot be completed at the moment. Try again.'

/**
 * Why a link or an identity provider did not sign a person in, by the code in the address: one of this dashboard, of
 * better-auth, of the API or of OpenID Connect.
 */
const errors: Readonly<Record<string, string>> = {
  link: 'This link has been used or is too old. Sign in with your password, or ask for another link.',
  not_invited: 'There is no account and no invitation for your address. Ask an Owner or an Admin to invite you.',
  email_not_verified: notVerified,
  // For an address that a person has here, and that the provider has not verified or that was not proven here.
  account_not_linked:
    'Your e-mail address is not verified by the provider, or was not proven here. Verify it there, or choose a new password here with a link, and try again.',
  email_not_found: 'The provider did not give your e-mail address, which decides who you are here.',
  access_denied: 'The provider did not sign you in.',
  server_error: notNow,
  temporarily_unavailable: notNow,
  invalid_code: 'The provider did not confirm the sign-in. Try again.',
  unable_to_get_user_info: notTrusted,
  issuer_mismatch: notTrusted,
  state_mismatch: notHere,
  state_not_found: notHere,
  rate_limited: 'There were too many sign-ins from your address. Try again in a minute.',
  unavailable: notHereNow,
  upstream_timeout: notHereNow,
}

const signInError = (code: string): string => errors[code] ?? 'The sign-in failed. Try again.'

export const SignInPage = () => {
  const { next, error } = useSearch({ from: '/entry/sign-in' })
  const signIn = useMutation({
    mutationFn: ({ email = '', password = '' }: FormValues) => account.signIn(email, password),
    onSuccess: () => location.assign(localPath(next)),
  })
  return (
    <EntryForm
      title="Sign in"
      label="Sign in"
      mutation={signIn}
      onSubmit={(values) => signIn.mutate(values)}
      footer={
        <>
          <PageAnchor to="/forgot-password">Forgot your password?</PageAnchor>
          <ProviderButtons next={localPath(next)} />
        </>
      }
    >
      {(field) => (
        <>
          {error !== undefined && (
            <Alert role="alert" color="yellow">
              {signInError(error)}
            </Alert>
          )}
          <TextInput {...field('email')} type="email" label="E-mail" autoComplete="username" required />
          <PasswordField {...field('password')} />
        </>
      )}
    </EntryForm>
  )
}

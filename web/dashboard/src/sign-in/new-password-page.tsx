import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { account } from '../api/account.js'
import type { FormValues } from '../shared/form.js'
import { PageAnchor, PageButton } from '../shared/links.js'
import { NewPasswordField } from '../shared/secret-inputs.js'
import { EntryForm, EntryNotice } from './entry-form.js'

/** Where the link of a mail, or one that an operator printed, leads. */
export const NewPasswordPage = () => {
  const { token } = useSearch({ from: '/entry/password' })
  const reset = useMutation({
    mutationFn: ({ newPassword = '' }: FormValues) => account.resetPassword(token ?? '', newPassword),
  })
  if (token === undefined) {
    return (
      <EntryNotice title="This link is incomplete">
        Open the complete link from the e-mail, or <PageAnchor to="/forgot-password">ask for another one</PageAnchor>.
      </EntryNotice>
    )
  }
  if (reset.isSuccess) {
    return (
      <EntryNotice title="Your password is changed">
        <p>You are signed out everywhere.</p>
        <PageButton to="/sign-in" fullWidth>
          Sign in
        </PageButton>
      </EntryNotice>
    )
  }
  return (
    <EntryForm
      title="Choose a new password"
      label="Change the password"
      mutation={reset}
      onSubmit={(values) => reset.mutate(values)}
    >
      {(field) => <NewPasswordField {...field('newPassword')} />}
    </EntryForm>
  )
}

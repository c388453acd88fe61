import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { account } from '../api/account.js'
import type { FormValues } from '../shared/form.js'
import { PageAnchor } from '../shared/links.js'
import { EntryForm, EntryNotice } from './entry-form.js'

export const ForgotPasswordPage = () => {
  const request = useMutation({
    mutationFn: ({ email = '' }: FormValues) => account.requestPasswordReset(email),
  })
  const back = <PageAnchor to="/sign-in">Back to sign-in</PageAnchor>
  if (request.isSuccess) {
    return (
      <EntryNotice title="Check your e-mail">
        <p>
          If there is an account with this address, a link to choose a new password is on its way. It works once, within
          an hour.
        </p>
        <p>
          E-mail is sent only if the operator of this installation has set up a mail server. Without one, ask the
          operator for a link.
        </p>
        {back}
      </EntryNotice>
    )
  }
  return (
    <EntryForm
      title="Choose a new password"
      description="We will send you a link to choose a new password."
      label="Send the link"
      mutation={request}
      onSubmit={(values) => request.mutate(values)}
      footer={back}
    >
      {(field) => <TextInput {...field('email')} type="email" label="E-mail" autoComplete="username" required />}
    </EntryForm>
  )
}

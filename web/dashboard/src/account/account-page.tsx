import { Stack } from '@mantine/core'
import { Page } from '../shared/page.js'
import { EmailForm } from './email-form.js'
import { NameForm } from './name-form.js'
import { Passkeys } from './passkeys.js'
import { PasswordForm } from './password-form.js'
import { SignIns } from './sign-ins.js'

export const AccountPage = () => (
  <Page title="Account">
    <Stack gap="lg" maw={560}>
      <NameForm />
      <EmailForm />
      <PasswordForm />
      <Passkeys />
      <SignIns />
    </Stack>
  </Page>
)

import { PasswordInput } from '@mantine/core'

export const minPasswordLength = 10

/** The field for a password that the person chooses. */
export const NewPasswordField = ({ label = 'New password' }: { readonly label?: string }) => (
  <PasswordInput
    name="newPassword"
    label={label}
    description={`At least ${minPasswordLength} characters.`}
    autoComplete="new-password"
    minLength={minPasswordLength}
    maxLength={128}
    required
  />
)

/** The field for the current password. */
export const PasswordField = ({ label = 'Password' }: { readonly label?: string }) => (
  <PasswordInput name="password" label={label} autoComplete="current-password" required />
)

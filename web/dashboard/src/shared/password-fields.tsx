import { PasswordInput, type PasswordInputProps } from '@mantine/core'

const minPasswordLength = 10

type PasswordFieldProps = Pick<PasswordInputProps, 'name' | 'label'> & { readonly error: string | undefined }

/** The field for a password that the person chooses. */
export const NewPasswordField = ({ name = 'newPassword', label = 'New password', error }: PasswordFieldProps) => (
  <PasswordInput
    name={name}
    label={label}
    error={error}
    aria-invalid={error !== undefined}
    description={`At least ${minPasswordLength} characters.`}
    autoComplete="new-password"
    minLength={minPasswordLength}
    maxLength={128}
    required
  />
)

/** The field for the current password. */
export const PasswordField = ({ name = 'password', label = 'Password', error }: PasswordFieldProps) => (
  <PasswordInput
    name={name}
    label={label}
    error={error}
    aria-invalid={error !== undefined}
    autoComplete="current-password"
    required
  />
)

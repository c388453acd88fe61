import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import type { FieldProps } from './form.js'

interface SecretInputProps extends Omit<PasswordInputProps, 'error'> {
  readonly error: string | undefined
  /** The name of the button that shows what was typed. */
  readonly showLabel?: string
}

/** A field whose text is hidden. */
export const SecretInput = ({ error, showLabel = 'Show the password', ...input }: SecretInputProps) => (
  <PasswordInput
    autoComplete="off"
    {...input}
    error={error}
    aria-invalid={error !== undefined}
    visibilityToggleButtonProps={{ 'aria-label': showLabel }}
  />
)

const minPasswordLength = 10

interface PasswordFieldProps extends FieldProps {
  readonly label?: string
}

/** The field for a password that the person chooses. */
export const NewPasswordField = ({ label = 'New password', ...field }: PasswordFieldProps) => (
  <SecretInput
    {...field}
    label={label}
    description={`At least ${minPasswordLength} characters.`}
    autoComplete="new-password"
    minLength={minPasswordLength}
    maxLength={128}
    required
  />
)

/** The field for the current password. */
export const PasswordField = ({ label = 'Password', ...field }: PasswordFieldProps) => (
  <SecretInput {...field} label={label} autoComplete="current-password" required />
)

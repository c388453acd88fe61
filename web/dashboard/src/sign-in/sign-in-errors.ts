/** Why a link or an identity provider did not sign a person in, by the code in the address. */
const errors: Readonly<Record<string, string>> = {
  link: 'This link has been used or is too old. Sign in with your password, or ask for another link.',
  not_invited: 'There is no account and no invitation for your address. Ask an Owner or an Admin to invite you.',
  email_not_verified: 'Your e-mail address is not verified by the provider. Verify it there, and try again.',
  // The library's code for an address that a person has here, and that the provider has not verified.
  account_not_linked: 'Your e-mail address is not verified by the provider. Verify it there, and try again.',
  email_not_found: 'The provider did not give your e-mail address, which decides who you are here.',
  access_denied: 'The provider did not sign you in.',
}

export const signInError = (code: string): string => errors[code] ?? 'The sign-in failed. Try again.'

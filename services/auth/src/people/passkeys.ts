import { APIError } from 'better-auth/api'
import { passkeyTables } from './account-tables.js'
import { relyingPartyOf } from './identity-provider.js'

/**
 * Sign-ins with passkeys; undefined where the address of the gateway allows none. The package names exact versions of
 * parts that better-auth has in newer ones, so `overrides` in the package.json of the repository name the newer ones for both.
 */
export const passkeySignIn = async (publicUrl: string | undefined) => {
  const rpID = relyingPartyOf(publicUrl)
  if (rpID === undefined) return undefined
  // The package loads readers of certificates, which take memory, so it is loaded only where passkeys can be used.
  const { passkey } = await import('@better-auth/passkey')
  return passkey({
    rpID,
    rpName: 'Parlance',
    origin: new URL(publicUrl!).origin,
    schema: passkeyTables,
    // A sign-in asks for no name, so the device must know the owner of the passkey, and must verify the user.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey-challenge' },
    authentication: {
      async afterVerification({ verification }) {
        if (verification.authenticationInfo.userVerified) return
        throw new APIError('UNAUTHORIZED', { message: 'Unlock the passkey with a PIN, a fingerprint or your face' })
      },
    },
  })
}

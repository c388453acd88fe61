import { account } from '../api/account.js'
import type { Problem } from '../api/problem.js'

/** Loaded with the first passkey. */
const loadBrowser = () => import('@simplewebauthn/browser')

/** Why the browser or the device made or used no passkey. */
const problemOfDevice = ({ name }: Error): Problem => ({
  code: 'passkey_not_used',
  detail:
    name === 'InvalidStateError'
      ? 'This device has a passkey for you already.'
      : 'No passkey was used: it was cancelled, or took too long. Try again.',
  retryable: true,
})

const onDevice = async <Response>(asked: Promise<Response>): Promise<Response> => {
  try {
    return await asked
  } catch (error) {
    throw problemOfDevice(error as Error)
  }
}

/** Has the browser ask for a passkey, and signs in with it. Rejects with the error of a response, or with a `Problem`. */
export const signInByPasskey = async (): Promise<void> => {
  const [optionsJSON, browser] = await Promise.all([account.passkeySignInOptions(), loadBrowser()])
  await account.signInByPasskey(await onDevice(browser.startAuthentication({ optionsJSON })))
}

/** Has the device make a passkey of the person who is signed in. Rejects as `signInByPasskey` does. */
export const addPasskey = async (): Promise<void> => {
  const [optionsJSON, browser] = await Promise.all([account.newPasskeyOptions(), loadBrowser()])
  await account.addPasskey(await onDevice(browser.startRegistration({ optionsJSON })))
}

import { account } from '../api/account.js'
import { type Problem, problemOf } from '../api/problem.js'

/** Loaded with the first passkey. */
const loadBrowser = () => import('@simplewebauthn/browser')

/** Why the browser or the device created or used no passkey. */
const problemOfDevice = ({ name }: Error): Problem => ({
  code: 'passkey_not_used',
  detail:
    name === 'InvalidStateError'
      ? 'This device already has a passkey for you.'
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

/** Makes the browser ask for a passkey, and signs in with it. Rejects with the error of a response, or with a `Problem`. */
export const signInByPasskey = async (): Promise<void> => {
  const [optionsJSON, browser] = await Promise.all([account.passkeySignInOptions(), loadBrowser()])
  await account.signInByPasskey(await onDevice(browser.startAuthentication({ optionsJSON })))
}

/** The last sign-in is too long ago for adding a passkey, because another person could use a browser that was left open. */
const signInTooOld: Problem = {
  code: 'sign_in_too_old',
  detail: 'Sign in again to add a passkey. Your last sign-in is too long ago.',
  retryable: false,
}

export const isSignInTooOld = (error: unknown): boolean => problemOf(error).code === signInTooOld.code

/** The API refuses nothing else of a person who is signed in. */
const newPasskeyOptions = () =>
  account.newPasskeyOptions().catch((error: unknown) => {
    throw problemOf(error).code === 'forbidden_role' ? signInTooOld : error
  })

/** Makes the device create a passkey for the signed-in person. Rejects as `signInByPasskey` does. */
export const addPasskey = async (): Promise<void> => {
  const [optionsJSON, browser] = await Promise.all([newPasskeyOptions(), loadBrowser()])
  await account.addPasskey(await onDevice(browser.startRegistration({ optionsJSON })))
}

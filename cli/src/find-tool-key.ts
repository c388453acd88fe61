import { createWebhookSigner } from '@parlance/egress'
import { type Environment, openStandaloneEnvironment, readPrivateFile } from '@parlance/runtime/installation'
import { StartupError } from '@parlance/runtime/process'

const unknown = 'TOOL_SIGNING_KEY is not set here. Set it as it is set for the sessions service.'

const readSecret = async (environment: Environment): Promise<string | undefined> => {
  const { TOOL_SIGNING_KEY: given, TOOL_SIGNING_KEY_FILE: file } = environment
  if (file) return readPrivateFile(file)
  // Services that run elsewhere have another key.
  if (given || environment.NATS_URL) return given
  return (await openStandaloneEnvironment(environment)).environment.TOOL_SIGNING_KEY
}

/** The public key for calls of tools. Rejects with `StartupError`. */
export const findToolKey = async (environment: Environment): Promise<string> => {
  const secret = (await readSecret(environment))?.trim()
  if (!secret) throw new StartupError([unknown])
  try {
    return createWebhookSigner(secret).publicKey
  } catch (cause) {
    throw new StartupError([`TOOL_SIGNING_KEY ${(cause as Error).message}.`], { cause })
  }
}

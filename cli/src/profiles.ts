import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Environment, readPrivateFile, writePrivateFile } from '@parlance/runtime/installation'
import { StartupError } from '@parlance/runtime/process'
import { z } from 'zod'

/** The variables that reach an installation. Those of the environment take precedence over those of a profile. */
const profileSchema = z.record(z.string(), z.string())
export type Profile = z.infer<typeof profileSchema>

const profilesSchema = z.object({ used: z.string().nullable(), profiles: z.record(z.string(), profileSchema) })
export type Profiles = z.infer<typeof profilesSchema>

/** The file of this user. Only the user may read it, as it has keys. */
const profilesFile = ({ XDG_CONFIG_HOME, APPDATA }: Environment): string =>
  join(
    XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config'),
    'parlance/profiles.json',
  )

/** Rejects with `StartupError` when the file is damaged. */
export const readProfiles = async (environment: Environment): Promise<Profiles> => {
  const file = profilesFile(environment)
  const text = await readPrivateFile(file)
  if (text === undefined) return { used: null, profiles: {} }
  try {
    return profilesSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartupError([`${file} is damaged. Fix it or remove it.`], { cause })
  }
}

export const writeProfiles = (environment: Environment, profiles: Profiles): Promise<void> =>
  writePrivateFile(profilesFile(environment), `${JSON.stringify(profiles, null, 2)}\n`)

/** Throws `StartupError` for an unknown name. */
export const findProfile = ({ profiles }: Profiles, name: string): Profile => {
  const profile = profiles[name]
  if (profile !== undefined) return profile
  throw new StartupError([`There is no profile ${name}: \`parlance profile list\` shows all profiles.`])
}

/**
 * The environment with the variables of a profile: the one that `PARLANCE_PROFILE` names, else the one that is used. An empty
 * `PARLANCE_PROFILE` means none. `PARLANCE_PROFILE` of the result names the profile. Rejects with `StartupError`.
 */
export const withProfile = async (environment: Environment): Promise<Environment> => {
  const { PARLANCE_PROFILE: named } = environment
  if (named === '') return environment
  const profiles = await readProfiles(environment)
  const name = named ?? profiles.used
  if (name === null) return environment
  return { ...findProfile(profiles, name), ...environment, PARLANCE_PROFILE: name }
}

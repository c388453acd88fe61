import { join, resolve } from 'node:path'
import type { Environment } from '../index.js'
import { openSecrets, type SecretName, secretNames } from './secrets.js'

interface StandaloneEnvironment {
  /** The environment for the services: the given variables, completed with defaults for one machine. */
  environment: Environment
  dataFolder: string
  /** The address at which clients on this machine reach the API. */
  url: string
}

/** An address to listen on cannot always be called: `0.0.0.0` means all of them. */
const callable = (host: string) =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

/** The default addresses of Ollama, LM Studio, llama.cpp and vLLM. */
const modelServerPorts = ['11434', '1234', '8080', '8000']

/** The data folder of an installation. */
export const dataFolderOf = (given: Environment): string => resolve(given.PARLANCE_DATA || '.parlance')

/** The folder of local models, with a folder for each model. */
export const modelsDirOf = (given: Environment): string => given.MODELS_DIR || join(dataFolderOf(given), 'models')

/** Variables that contain a secret. Where they are not set, the installation's own secrets are used. */
const secretsNotGiven = async (given: Environment, dataFolder: string): Promise<Environment> => {
  const names = secretNames.filter((name) => {
    const variable = name.toUpperCase()
    return !given[variable] && !given[`${variable}_FILE`]
  })
  if (names.length === 0) return {}
  const secrets: Partial<Record<SecretName, string>> = await openSecrets(dataFolder, names)
  return Object.fromEntries(names.map((name) => [name.toUpperCase(), secrets[name]]))
}

/** Creates the missing secrets of an installation. Rejects with `StartupError`. */
export const openStandaloneEnvironment = async (given: Environment): Promise<StandaloneEnvironment> => {
  const host = given.HOST || '127.0.0.1'
  const port = given.PORT || '8080'
  const dataFolder = dataFolderOf(given)
  return {
    environment: {
      ...given,
      HOST: host,
      PORT: port,
      PARLANCE_DATA: dataFolder,
      MODELS_DIR: modelsDirOf(given),
      RECORDING_FOLDER: given.RECORDING_FOLDER || join(dataFolder, 'recordings'),
      LLM_LOCAL_URLS:
        given.LLM_LOCAL_URLS ??
        modelServerPorts
          .filter((modelPort) => modelPort !== port)
          .map((modelPort) => `http://127.0.0.1:${modelPort}`)
          .join(','),
      LOG_LEVEL: given.LOG_LEVEL || 'warn',
      API_KEY_ENVIRONMENT: given.API_KEY_ENVIRONMENT || 'dev',
      ...(await secretsNotGiven(given, dataFolder)),
    },
    dataFolder,
    url: `http://${callable(host)}:${port}`,
  }
}

import { join } from 'node:path'
import { dataFolderOf, type Environment, readPrivateFile } from '@parlance/runtime/installation'
import { z } from 'zod'

const writtenSchema = z.object({ url: z.url(), api_key: z.string() })

/** What the last `npm start` in this folder wrote; undefined where there is nothing. */
const readWritten = async (environment: Environment) => {
  try {
    const text = await readPrivateFile(join(dataFolderOf(environment), 'dev.json'))
    return text === undefined ? undefined : writtenSchema.parse(JSON.parse(text))
  } catch {
    // A damaged file is replaced by the next `npm start`.
    return undefined
  }
}

/** The address that the last `npm start` in this folder stored; undefined for services that run elsewhere. */
export const findGatewayUrl = async (environment: Environment): Promise<string | undefined> =>
  environment.NATS_URL ? undefined : (await readWritten(environment))?.url

/** The address of the API and a key; those that `npm start` wrote where the environment lacks one. */
export const findApi = async (
  environment: Environment,
): Promise<{ readonly url: string | undefined; readonly key: string | undefined }> => {
  const written = await readWritten(environment)
  return {
    url: environment.PUBLIC_URL || environment.PARLANCE_URL || written?.url,
    key: environment.PARLANCE_API_KEY || written?.api_key,
  }
}

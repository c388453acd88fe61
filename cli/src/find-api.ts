import { join } from 'node:path'
import type { Environment } from '@parlance/runtime'
import { dataFolderOf, readPrivateFile } from '@parlance/runtime/installation'
import { z } from 'zod'

const writtenSchema = z.object({ url: z.url() })

/** The address that the last `npm start` in this folder stored; undefined for services that run elsewhere. */
export const findGatewayUrl = async (environment: Environment): Promise<string | undefined> => {
  if (environment.NATS_URL) return undefined
  try {
    const text = await readPrivateFile(join(dataFolderOf(environment), 'dev.json'))
    return text === undefined ? undefined : writtenSchema.parse(JSON.parse(text)).url
  } catch {
    // A damaged file is replaced by the next `npm start`.
    return undefined
  }
}

import { join } from 'node:path'
import { type Bus, createClient } from '@parlance/bus'
import { authContract, capabilitySchema, ServiceError } from '@parlance/contracts'
import { operatorDeadlineMs, readPrivateFile, writePrivateFile } from '@parlance/runtime/installation'
import { z } from 'zod'

/** The content of `dev.json`: what a script on this machine needs to call the API. */
const developmentKeySchema = z.object({ url: z.string(), api_key: z.string(), workspace_id: z.string() })
type DevelopmentKey = z.infer<typeof developmentKeySchema>

interface DevelopmentKeyOptions {
  bus: Bus
  dataFolder: string
  url: string
  /** Whether the API accepts this key. */
  accepts: (apiKey: string) => Promise<boolean>
}

export interface FoundDevelopmentKey {
  key: DevelopmentKey
  /** It was just created, so it has not been shown before. */
  isNew: boolean
  file: string
}

const workspaceFileSchema = z.object({ workspace_id: z.string() })

const readJson = async <T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> => {
  try {
    return schema.safeParse(JSON.parse((await readPrivateFile(file)) ?? 'null')).data
  } catch (error) {
    // A damaged file counts as lost: its content can be created again.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** For calls at the start: on a busy machine the first ones take seconds, and a failure would end the process. */
export const startDeadline = { deadlineMs: operatorDeadlineMs }

const keyFileIn = (dataFolder: string) => join(dataFolder, 'dev.json')

/** The workspace of the development key; undefined before the first start has created it. */
export const readDevelopmentWorkspaceId = async (dataFolder: string): Promise<string | undefined> =>
  (await readJson(keyFileIn(dataFolder), developmentKeySchema))?.workspace_id

const writeJson = (file: string, value: object) => writePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`)

/**
 * The key for development on this machine. The first start creates a workspace with a key. Later starts use the same key, or
 * create another in the same workspace when `dev.json` was lost or the API refuses its key.
 */
export const openDevelopmentKey = async (options: DevelopmentKeyOptions): Promise<FoundDevelopmentKey> => {
  const { bus, dataFolder, url, accepts } = options
  const file = keyFileIn(dataFolder)
  const workspaceFile = join(dataFolder, 'workspace.json')
  const auth = createClient(bus, authContract)

  const existing = await readJson(file, developmentKeySchema)
  if (existing !== undefined && (await accepts(existing.api_key))) {
    const key = { ...existing, url }
    if (existing.url !== url) await writeJson(file, key)
    return { key, isNew: false, file }
  }

  const createKeyIn = (workspaceId: string) =>
    auth.createKey({ workspace_id: workspaceId, label: 'Development' }, startDeadline)
  const createKeyInExisting = async (workspaceId: string) => {
    try {
      return await createKeyIn(workspaceId)
    } catch (error) {
      // The database is not that of the last start.
      if (error instanceof ServiceError && error.code === 'not_found') return undefined
      throw error
    }
  }
  const createKeyInNew = async () => {
    const workspace = {
      name: 'Development',
      capabilities: capabilitySchema.options,
      max_concurrent_sessions: 0,
      max_concurrent_streams: 0,
    }
    const { id } = await auth.createWorkspace(workspace, startDeadline)
    await writeJson(workspaceFile, { workspace_id: id })
    return createKeyIn(id)
  }

  const workspaceId = (await readJson(workspaceFile, workspaceFileSchema))?.workspace_id
  const created = (workspaceId && (await createKeyInExisting(workspaceId))) || (await createKeyInNew())
  const key = { url, api_key: created.key, workspace_id: created.workspace_id }
  await writeJson(file, key)
  return { key, isNew: true, file }
}

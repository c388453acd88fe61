import { type ReadSecret, readSecretSetting, StartupError } from '@parlance/runtime'
import { z } from 'zod'
import { openFolderStorage } from './folder-storage.js'
import type { RecordingStorage } from './recording-storage.js'

/** The variables for the storage of recordings; spread into the service's `env`. */
export const recordingVariables = {
  RECORDING_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('the folder in which recordings of conversations are stored, which all processes of the service share'),
  RECORDING_S3_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'the address of a bucket for recordings of conversations, such as https://s3.eu-central-1.amazonaws.com/recordings',
    ),
  RECORDING_S3_REGION: z.string().min(1).default('auto').describe('the region of the bucket'),
  RECORDING_S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('the id of the key of the bucket'),
  RECORDING_S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('the key of the bucket'),
  RECORDING_S3_SECRET_ACCESS_KEY_FILE: z.string().min(1).optional().describe('a file with the key of the bucket'),
}

type RecordingSettings = z.infer<z.ZodObject<typeof recordingVariables>>

/**
 * The storage of the environment: the bucket when both are set, undefined when neither is. Rejects with `StartupError`.
 */
export const openRecordingStorage = async (
  settings: RecordingSettings,
  readSecret: ReadSecret,
): Promise<RecordingStorage | undefined> => {
  const { RECORDING_S3_URL: url, RECORDING_S3_ACCESS_KEY_ID: accessKeyId, RECORDING_FOLDER: folder } = settings
  if (url !== undefined) {
    const secretAccessKey = readSecretSetting(settings, 'RECORDING_S3_SECRET_ACCESS_KEY', readSecret)
    if (accessKeyId === undefined || secretAccessKey === undefined) {
      throw new StartupError([
        'RECORDING_S3_URL needs RECORDING_S3_ACCESS_KEY_ID and RECORDING_S3_SECRET_ACCESS_KEY. Set them.',
      ])
    }
    const { createS3Storage } = await import('./s3-storage.js')
    return createS3Storage({ url, region: settings.RECORDING_S3_REGION, accessKeyId, secretAccessKey })
  }
  if (folder === undefined) return undefined
  return openFolderStorage(folder).catch((cause: Error) => {
    throw new StartupError([`RECORDING_FOLDER: ${cause.message}.`], { cause })
  })
}

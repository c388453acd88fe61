/**
 * Where the audio of recordings is kept. Adapters: `folder-storage.ts`, `s3-storage.ts`.
 *
 * - An object is visible only after its writer has finished.
 * - Keys consist only of ids: `<workspace>/<session>.ogg`.
 */
export interface RecordingStorage {
  /** Begins an object. It replaces one of the same key when it is finished. */
  create(key: string): Promise<RecordingWriter>
  /** The bytes from `start` to before `end`. Throws `ObjectMissingError`, or another error when the storage fails. */
  read(key: string, range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Removes an object and the remains of unfinished ones. Resolves when there is none. */
  remove(key: string): Promise<void>
  /**
   * Removes objects that were started before this time and never finished, such as by a process that was killed. Resolves with
   * their number. Rejects when the storage fails or refuses, and with the reason of the signal.
   */
  removeUnfinished(before: Date, signal: AbortSignal): Promise<number>
}

/** One call at a time. Every method rejects when the storage fails. */
export interface RecordingWriter {
  write(bytes: Uint8Array): Promise<void>
  finish(): Promise<void>
  /** Leaves no object. To be called when `write` or `finish` has failed. */
  abort(): Promise<void>
}

export interface ByteRange {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError'
  constructor(key: string) {
    super(`There is no object ${key} in the storage of recordings`)
  }
}

const keyPattern = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\.ogg$/

export const isRecordingKey = (key: string): boolean => keyPattern.test(key)

export const recordingKey = (workspaceId: string, sessionId: string): string => {
  const key = `${workspaceId}/${sessionId}.ogg`
  if (!isRecordingKey(key)) throw new TypeError('The key of a recording is made of two UUIDs')
  return key
}

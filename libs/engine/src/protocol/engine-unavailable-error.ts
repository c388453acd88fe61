/**
 * Why the engine cannot work on this machine: something is not installed, or has another version. Another process would
 * not work either.
 */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError'
}

/**
 * The engine cannot work on this machine, and why: something is not installed, or is another version. Another process would
 * not work either.
 */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError'
}

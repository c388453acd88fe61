/**
 * Whether a value is the name of an error of another server, such as `invalid_api_key`. Other texts of a server are not logged,
 * since they may quote a key or what a person said.
 */
export const isErrorName = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z_]{1,47}$/i.test(value)

import type { z } from 'zod'
import { ServiceError } from './service-error.js'

/** What zod found wrong, as one `invalid_request` that names the field: `output.sample_rate: expected number`. */
export const invalidRequest = (error: z.ZodError): ServiceError => {
  const [first] = error.issues
  if (first === undefined) return new ServiceError('invalid_request', 'The request is not valid.')
  if (first.code === 'unrecognized_keys') {
    const fields = first.keys.map((key) => [...first.path, key].join('.').slice(0, 100)).join(', ')
    return new ServiceError('invalid_request', `Unknown field: ${fields.slice(0, 300)}.`)
  }
  const field = first.path.join('.').slice(0, 100)
  return new ServiceError('invalid_request', field === '' ? first.message : `${field}: ${first.message}`)
}

import type { CallOptions } from '@parlance/bus'

const deadlineMs = 60_000

/** The client with calls, which `raw` names, that wait for as long as a busy machine may need, unless a call has a deadline of its own. */
export const patientClient = <Client extends { readonly raw: object }>(client: Client): Client => {
  const patient: Record<string, unknown> = { ...client }
  for (const name of Object.keys(client.raw)) {
    const call = patient[name] as (request: unknown, options?: CallOptions) => Promise<unknown>
    patient[name] = (request: unknown, options?: CallOptions) => call(request, { deadlineMs, ...options })
  }
  return patient as Client
}

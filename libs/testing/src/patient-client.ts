import type { CallOptions, Client } from '@parlance/bus'
import type { Contract } from '@parlance/contracts'

const deadlineMs = 60_000

/** The client with calls that wait for as long as a busy machine may need, unless a call has a deadline of its own. */
export const patientClient = <C extends Contract>(client: Client<C>, contract: C): Client<C> => {
  const patient: Record<string, unknown> = { ...client }
  for (const [name, { kind }] of Object.entries(contract.methods)) {
    if (kind !== 'call') continue
    const call = patient[name] as (request: unknown, options?: CallOptions) => Promise<unknown>
    patient[name] = (request: unknown, options?: CallOptions) => call(request, { deadlineMs, ...options })
  }
  return patient as Client<C>
}

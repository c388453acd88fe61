import { phoneNumbersContract } from '@parlance/contracts'
import { actorOf } from '../../authentication/require-key.js'
import { respondNothing } from '../../http/json-response.js'
import { phoneNumberAddressOf, phoneNumberParameters } from '../path-parameters.js'
import { member, type Route } from '../route.js'

export const deletePhoneNumber: Route = {
  method: 'delete',
  path: '/dashboard/api/phone-numbers/:numberId',
  authentication: member('admin', 'agents'),
  operationId: 'deletePhoneNumber',
  tag: 'Agents',
  summary: 'Delete a telephone number, with its auth token',
  description: 'Calls in progress continue.',
  request: { params: phoneNumberParameters },
  responses: { 204: { description: 'The number was deleted.' } },
  calls: [phoneNumbersContract.methods.deleteNumber],
  createHandler: ({ phoneNumbers }) =>
    respondNothing(async (req) => {
      const request = { ...phoneNumberAddressOf(req), actor: actorOf(req) }
      await phoneNumbers.deleteNumber(request, { context: req.context })
    }),
}
